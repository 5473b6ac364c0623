package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A load balancer of this cluster in a listing. Used by one thread at a time. */
final class ListedLoadBalancer {

    private final ArmName name;
    private final List<BackendPool> pools = new ArrayList<>();
    private final Map<PoolKey, String> unreadable = new LinkedHashMap<>();
    private final Map<String, String> networks = new HashMap<>();
    private boolean hasPoolWithoutNetwork;

    ListedLoadBalancer(ArmName name) {
        this.name = name;
    }

    void add(BackendPool pool) {
        pools.add(pool);
    }

    /** The networks of one of its pools, by lower-case id. */
    void addNetworks(Map<String, String> ids) {
        ids.forEach(networks::putIfAbsent);
        hasPoolWithoutNetwork |= ids.isEmpty();
    }

    void addUnreadable(PoolKey pool, String why) {
        unreadable.put(pool, why);
    }

    /** The networks of its pools, by lower-case id. */
    Map<String, String> networks() {
        return networks;
    }

    boolean hasPoolWithoutNetwork() {
        return hasPoolWithoutNetwork;
    }

    ArmName name() {
        return name;
    }

    /** Its pools, which cannot be written. */
    List<BackendPool> pools() {
        return pools;
    }

    /** Pools that cannot be parsed, with the reason. */
    Map<PoolKey, String> unreadable() {
        return unreadable;
    }
}
