package dev.poolkeeper.lab.record;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.JsonEscapes;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.Unwritable;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Load balancers in the format of ARM's LIST, reduced to their pools, their addresses and states, and what makes a pool
 * unwritable: no id, no tag.
 */
public final class RecordedInventory {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private RecordedInventory() {}

    public static void write(List<BackendPool> pools, Writer out) throws IOException {
        ObjectNode body = MAPPER.createObjectNode();
        ArrayNode loadBalancers = body.putArray("value");
        Map<String, ArrayNode> poolsOf = new TreeMap<>();
        for (BackendPool pool : pools) {
            poolsOf.computeIfAbsent(
                            pool.key().loadBalancer().toString(),
                            name -> loadBalancers
                                    .addObject()
                                    .put("name", name)
                                    .putObject("properties")
                                    .putArray("backendAddressPools"))
                    .add(pool(pool));
        }
        out.write(
                MAPPER.writerWithDefaultPrettyPrinter().with(new JsonEscapes()).writeValueAsString(body));
        out.write('\n');
    }

    private static ObjectNode pool(BackendPool pool) {
        ObjectNode node =
                MAPPER.createObjectNode().put("name", pool.key().pool().toString());
        ObjectNode properties = node.putObject("properties");
        properties.put("provisioningState", pool.provisioning().toString());
        ArrayNode addresses = properties.putArray("loadBalancerBackendAddresses");
        for (IpAddress address : pool.addresses()) {
            addresses
                    .addObject()
                    .put("name", address.toString())
                    .putObject("properties")
                    .put("ipAddress", address.toString());
        }
        pool.unwritable().ifPresent(why -> addWhatMakesItUnwritable(why, properties, addresses));
        return node;
    }

    /** Without it the pool could be written in a replay. */
    private static void addWhatMakesItUnwritable(Unwritable why, ObjectNode properties, ArrayNode addresses) {
        switch (why) {
            case AUTOMATIC -> properties.put("syncMode", "Automatic");
            case PRIVATE_LINK ->
                properties
                        .putArray("backendIPConfigurations")
                        .addObject()
                        .putObject("properties")
                        .putObject("privateLinkConnectionProperties");
            case CROSS_REGION -> unaddressed(addresses).putObject("loadBalancerFrontendIPConfiguration");
            case NETWORK_INTERFACES -> {
                properties.putArray("backendIPConfigurations").addObject();
                if (!addresses.isEmpty()) {
                    unaddressed(addresses);
                }
            }
        }
    }

    /** The properties of an entry without an address. */
    private static ObjectNode unaddressed(ArrayNode addresses) {
        return addresses.addObject().put("name", "unaddressed").putObject("properties");
    }
}
