package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A load balancer of this cluster in a listing. Used by one thread at a time. */
final class ListedLoadBalancer implements ListedElement {

    private final ArmName name;
    private final List<BackendPool> pools = new ArrayList<>();
    private final List<Unreadable> unreadable = new ArrayList<>();
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

    void add(Unreadable pool) {
        unreadable.add(pool);
    }

    /** The same load balancer and networks with these pools. */
    ListedLoadBalancer with(List<BackendPool> others) {
        ListedLoadBalancer same = new ListedLoadBalancer(name);
        same.pools.addAll(others);
        same.networks.putAll(networks);
        same.hasPoolWithoutNetwork = hasPoolWithoutNetwork;
        return same;
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

    /** Its pools that cannot be read. */
    List<Unreadable> unreadable() {
        return unreadable;
    }
}
