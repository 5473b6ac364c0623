package dev.poolkeeper.fake.load;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;

/** Writes the inventory of a generated cluster: its load balancers with an empty pool for every Service. */
public final class InventoryWriter {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String GROUP =
            "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/load/providers/Microsoft.Network/";

    private InventoryWriter() {}

    /** Writes ARM's response to a LIST of load balancers, and closes the stream. */
    public static void write(LoadShape shape, OutputStream out) throws IOException {
        ObjectNode body = MAPPER.createObjectNode();
        ArrayNode list = body.putArray("value");
        for (int i = 0; i < shape.loadBalancers(); i++) {
            ObjectNode loadBalancer = list.addObject();
            String id = GROUP + "loadBalancers/" + shape.loadBalancer(i);
            loadBalancer
                    .put("name", shape.loadBalancer(i))
                    .put("id", id)
                    .put("type", "Microsoft.Network/loadBalancers");
            ArrayNode pools = loadBalancer.putObject("properties").putArray("backendAddressPools");
            for (int service = i; service < shape.services(); service += shape.loadBalancers()) {
                String name = shape.pool(service).pool().toString();
                ObjectNode pool = pools.addObject();
                pool.put("name", name)
                        .put("id", id + "/backendAddressPools/" + name)
                        .put("etag", "W/\"00000000-0000-4000-8000-000000000000\"");
                pool.putObject("properties").putArray("loadBalancerBackendAddresses");
            }
        }
        MAPPER.writeValue(out, body);
    }
}
