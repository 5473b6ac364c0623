package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.JsonFile;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The initial load balancers of a cloud: the body of ARM's load balancer LIST, or {@code az network lb list} wrapped in
 * {@code value}, which has no {@code properties}.
 *
 * @param loadBalancers in the order of the list
 */
public record Inventory(List<InventoryLoadBalancer> loadBalancers) {

    /** No load balancer. */
    public static final Inventory EMPTY = new Inventory(List.of());

    /**
     * One load balancer.
     *
     * @param name its name
     * @param pools its pools
     * @param json its JSON from ARM
     */
    record InventoryLoadBalancer(ArmName name, List<StoredPool> pools, ObjectNode json) {}

    public Inventory {
        loadBalancers = List.copyOf(loadBalancers);
    }

    /** @throws BadInputException with every fault of the file */
    public static Inventory read(Path file) throws BadInputException {
        FaultCollector faults = new FaultCollector(file.toString());
        return read(JsonFile.read(file, faults), faults);
    }

    /** @throws BadInputException with every fault of the text */
    public static Inventory read(InputStream in, String source) throws BadInputException, IOException {
        FaultCollector faults = new FaultCollector(source);
        return read(JsonFile.read(in, faults), faults);
    }

    private static Inventory read(JsonObject body, FaultCollector faults) throws BadInputException {
        if (!body.has("value")) {
            body.fault("value", "is missing, must be the array of load balancers that ARM's LIST returns");
        }
        String nextLink = body.optionalString("nextLink");
        if (nextLink != null && !nextLink.isBlank()) {
            body.fault("nextLink", "found \"" + nextLink + "\", must be absent: the list must be complete");
        }
        List<InventoryLoadBalancer> loadBalancers = new ArrayList<>();
        Set<ArmName> names = new HashSet<>();
        for (JsonObject json : body.objects("value")) {
            FlatResource.nestLoadBalancer(json.node());
            ArmName name = uniqueName(json, names, "load balancer");
            if (name != null) {
                loadBalancers.add(loadBalancer(name, json));
            }
        }
        faults.throwIfAny();
        return new Inventory(loadBalancers);
    }

    private static InventoryLoadBalancer loadBalancer(ArmName name, JsonObject json) {
        List<StoredPool> pools = new ArrayList<>();
        Set<ArmName> names = new HashSet<>();
        requireProperties(json, "backendAddressPools");
        for (JsonObject pool : json.object("properties").objects("backendAddressPools")) {
            ArmName poolName = uniqueName(pool, names, "pool of its load balancer");
            requireProperties(pool, "loadBalancerBackendAddresses");
            if (poolName != null) {
                String etag = pool.optionalString("etag");
                pools.add(StoredPool.of(
                        new PoolKey(name, poolName), entries(pool), etag == null ? "" : etag, pool.node()));
            }
        }
        return new InventoryLoadBalancer(name, pools, json.node());
    }

    /** Without any property it is not known what it holds, which is not the same as nothing. */
    private static void requireProperties(JsonObject resource, String content) {
        if (!resource.has("properties")) {
            resource.fault("properties", "is missing, must hold " + content);
        }
    }

    private static @Nullable ArmName uniqueName(JsonObject json, Set<ArmName> names, String what) {
        String name = json.requiredString("name");
        if (name.isEmpty()) {
            return null;
        }
        ArmName armName = ArmName.of(name);
        if (!names.add(armName)) {
            json.fault("name", "found \"" + name + "\", which another " + what + " also has");
        }
        return armName;
    }

    private static List<PoolEntry> entries(JsonObject pool) {
        List<PoolEntry> entries = new ArrayList<>();
        for (JsonObject entry : pool.object("properties").objects("loadBalancerBackendAddresses")) {
            JsonObject properties = entry.object("properties");
            String text = properties.optionalString("ipAddress");
            if (text == null || text.isEmpty()) {
                entries.add(new PoolEntry(null, entry.node()));
                continue;
            }
            IpAddress address = IpAddress.parse(text).orElse(null);
            if (address == null) {
                properties.fault("ipAddress", "found \"" + text + "\", must be an IPv4 or IPv6 address");
            }
            entries.add(new PoolEntry(address, entry.node()));
        }
        return entries;
    }
}
