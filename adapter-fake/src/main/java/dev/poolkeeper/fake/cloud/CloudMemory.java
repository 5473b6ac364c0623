package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of the load balancers and pools, shared by the cloud's ports and the ARM emulator.
 *
 * <p>Thread-safe. To make several calls atomic, synchronize on this object.
 */
public final class CloudMemory {

    /** The version of resources without an ETag. */
    public static final String FIRST_ETAG = "W/\"00000000-0000-4000-8000-000000000000\"";

    private final Map<ArmName, StoredLoadBalancer> loadBalancers = new LinkedHashMap<>();
    private final Map<ArmName, Map<PoolKey, StoredPool>> pools = new LinkedHashMap<>();
    private long writes;

    CloudMemory(Inventory inventory) {
        inventory.loadBalancers().forEach(loadBalancer -> {
            String etag = loadBalancer.json().path("etag").asText("");
            keep(new StoredLoadBalancer(loadBalancer.name(), etag.isEmpty() ? FIRST_ETAG : etag, loadBalancer.json()));
            loadBalancer.pools().forEach(pool -> poolsOf(pool.key()).put(pool.key(), pool));
        });
    }

    public synchronized Optional<StoredLoadBalancer> loadBalancer(ArmName name) {
        return Optional.ofNullable(loadBalancers.get(name));
    }

    /** All load balancers, in the inventory's order. */
    public synchronized List<StoredLoadBalancer> loadBalancers() {
        return List.copyOf(loadBalancers.values());
    }

    public synchronized Optional<StoredPool> pool(PoolKey key) {
        return Optional.ofNullable(pools.get(key.loadBalancer())).map(held -> held.get(key));
    }

    /** All pools of all load balancers, in the inventory's order. */
    public synchronized List<StoredPool> pools() {
        return pools.values().stream().flatMap(held -> held.values().stream()).toList();
    }

    /** The pools of one load balancer; none if it does not exist. */
    public synchronized List<StoredPool> pools(ArmName loadBalancer) {
        return List.copyOf(pools.getOrDefault(loadBalancer, Map.of()).values());
    }

    /**
     * Stores a pool under a new version and gives its load balancer a new version too; creates the load balancer if
     * needed.
     */
    public synchronized StoredPool write(StoredPool pool) {
        String etag = touch(pool.key().loadBalancer());
        StoredPool written = pool.withEtag(etag);
        poolsOf(written.key()).put(written.key(), written);
        return written;
    }

    /** Removes a pool; its load balancer gets a new version. */
    public synchronized void remove(PoolKey key) {
        Map<PoolKey, StoredPool> held = pools.get(key.loadBalancer());
        if (held != null && held.remove(key) != null) {
            touch(key.loadBalancer());
        }
    }

    /** Stores a load balancer with exactly these pools, all under a new version. */
    public synchronized StoredLoadBalancer write(StoredLoadBalancer loadBalancer, List<StoredPool> itsPools) {
        String etag = nextEtag();
        StoredLoadBalancer written = loadBalancer.withEtag(etag);
        keep(written);
        Map<PoolKey, StoredPool> held = new LinkedHashMap<>();
        itsPools.forEach(pool -> held.put(pool.key(), pool.withEtag(etag)));
        pools.put(written.name(), held);
        return written;
    }

    /** Removes a load balancer and its pools. */
    public synchronized void remove(ArmName loadBalancer) {
        loadBalancers.remove(loadBalancer);
        pools.remove(loadBalancer);
    }

    /** Gives a load balancer a new version, like an accepted write without changes. */
    public synchronized String touch(ArmName name) {
        String etag = nextEtag();
        StoredLoadBalancer loadBalancer = loadBalancers.get(name);
        keep(
                loadBalancer == null
                        ? new StoredLoadBalancer(name, etag, JsonNodeFactory.instance.objectNode())
                        : loadBalancer.withEtag(etag));
        return etag;
    }

    List<PoolKey> poolKeys() {
        List<PoolKey> keys = new ArrayList<>();
        pools().forEach(pool -> keys.add(pool.key()));
        return keys;
    }

    private void keep(StoredLoadBalancer loadBalancer) {
        loadBalancers.put(loadBalancer.name(), loadBalancer);
        pools.computeIfAbsent(loadBalancer.name(), name -> new LinkedHashMap<>());
    }

    private Map<PoolKey, StoredPool> poolsOf(PoolKey key) {
        return pools.computeIfAbsent(key.loadBalancer(), name -> new LinkedHashMap<>());
    }

    private String nextEtag() {
        return "W/\"%08x-0000-4000-8000-000000000000\"".formatted(++writes);
    }
}
