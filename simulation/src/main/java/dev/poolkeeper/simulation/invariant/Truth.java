package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.cluster.ApiServer;
import dev.poolkeeper.simulation.cluster.Kind;
import dev.poolkeeper.simulation.cluster.Sighting;
import dev.poolkeeper.simulation.cluster.WaitingPods.WaitingPod;
import dev.poolkeeper.simulation.daemon.KnownNodes;
import dev.poolkeeper.simulation.daemon.PoolUsers;
import dev.poolkeeper.simulation.daemon.Share;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The true state of the cluster, past and present, independent of any daemon's view. */
public final class Truth {

    private final ApiServer server;
    private final Map<Share, Set<String>> everNamed = new HashMap<>();
    private final Map<String, Set<IpAddress>> everHeld = new HashMap<>();
    private final Map<ArmName, Set<Share>> sharesOfPool = new HashMap<>();

    public Truth(ApiServer server) {
        this.server = server;
        server.observe(this::changed);
    }

    private void changed(Sighting change) {
        switch (change.kind()) {
            case SERVICE -> {
                ServiceName name = change.service().name();
                for (IpFamily family : IpFamily.values()) {
                    sharesOfPool
                            .computeIfAbsent(family.poolName(name), key -> new HashSet<>())
                            .add(new Share(name, family));
                }
            }
            case SLICE -> {
                EndpointSliceState slice = change.slice();
                IpFamily family = slice.addressType().equals("IPv4") ? IpFamily.IPV4 : IpFamily.IPV6;
                ServiceName service = slice.service();
                if (service != null && !change.deleted()) {
                    Set<String> names = everNamed.computeIfAbsent(new Share(service, family), key -> new HashSet<>());
                    slice.nodeNames().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
                }
            }
            case NODE -> {
                Set<IpAddress> held =
                        everHeld.computeIfAbsent(change.key().toLowerCase(Locale.ROOT), key -> new HashSet<>());
                for (IpFamily family : IpFamily.values()) {
                    held.addAll(KnownNodes.addressesOf(change.node(), family));
                }
            }
        }
    }

    /** Whether a node that had the address at some time was named at some time by a Service of this pool. */
    public boolean isOfPool(ArmName pool, IpAddress address) {
        for (Share share : sharesOfPool.getOrDefault(pool, Set.of())) {
            if (address.family() == share.family()) {
                for (String node : everNamed.getOrDefault(share, Set.of())) {
                    if (everHeld.getOrDefault(node, Set.of()).contains(address)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Whether the Service existed once, and neither it nor an EndpointSlice of it exists now. */
    boolean isGone(ServiceName service) {
        boolean existed = sharesOfPool
                .getOrDefault(IpFamily.IPV4.poolName(service), Set.of())
                .contains(new Share(service, IpFamily.IPV4));
        return existed
                && server.find(Kind.SERVICE, service.toString()).isEmpty()
                && server.list(Kind.SLICE).stream()
                        .noneMatch(
                                slice -> String.valueOf(slice.slice().service()).equals(service.toString()));
    }

    /** Whether a slice named a node so that does not exist, and none names it now. */
    boolean isNoNode(String name) {
        return everNamed.values().stream().anyMatch(names -> names.contains(name))
                && server.find(Kind.NODE, name).isEmpty()
                && server.list(Kind.SLICE).stream()
                        .noneMatch(slice -> slice.slice().nodeNames().contains(name));
    }

    /**
     * Whether a Service that lists the Pod has no pool, or several, in one of the families that list it, or its pool
     * serves the other family of another one.
     */
    boolean lacksPool(WaitingPod pod, ResourceManager arm) {
        Map<PoolKey, Set<Share>> users = users(arm);
        return server.list(Kind.SLICE).stream()
                .map(Sighting::slice)
                .filter(slice -> slice.namespace().equals(pod.namespace())
                        && slice.podUids().contains(pod.uid()))
                .anyMatch(slice -> {
                    IpFamily family = slice.addressType().equals("IPv4") ? IpFamily.IPV4 : IpFamily.IPV6;
                    ServiceName service = slice.service();
                    if (service == null) {
                        return false;
                    }
                    List<PoolKey> places = arm.places(family.poolName(service));
                    return places.size() != 1 || isClash(users, places.getFirst(), new Share(service, family));
                });
    }

    private static boolean isClash(Map<PoolKey, Set<Share>> users, PoolKey pool, Share share) {
        Set<Share> served = users.getOrDefault(pool, Set.of());
        return !served.isEmpty() && !served.contains(share);
    }

    /** The desired content of every pool of a local Service. Omits pools on no or several load balancers. */
    public Map<PoolKey, AddressSet> wanted(ResourceManager arm) {
        Map<String, Sighting> nodes = new TreeMap<>();
        server.list(Kind.NODE).forEach(node -> nodes.put(node.key(), node));
        Map<PoolKey, AddressSet> wanted = new HashMap<>();
        users(arm).forEach((pool, shares) -> {
            Set<IpAddress> all = new TreeSet<>();
            shares.forEach(share -> all.addAll(addresses(share.service(), share.family(), nodes)));
            wanted.put(pool, AddressSet.of(all));
        });
        return wanted;
    }

    private Map<PoolKey, Set<Share>> users(ResourceManager arm) {
        return PoolUsers.of(
                server.list(Kind.SERVICE).stream().map(Sighting::service).toList(),
                name -> Optional.of(arm.places(name))
                        .filter(places -> places.size() == 1)
                        .map(places -> places.get(0)));
    }

    private Set<IpAddress> addresses(ServiceName service, IpFamily family, Map<String, Sighting> nodes) {
        Set<IpAddress> addresses = new TreeSet<>();
        String type = family == IpFamily.IPV4 ? "IPv4" : "IPv6";
        for (Sighting slice : server.list(Kind.SLICE)) {
            ServiceName owner = slice.slice().service();
            if (owner != null
                    && owner.equals(service)
                    && slice.slice().addressType().equals(type)) {
                for (String name : slice.slice().nodeNames()) {
                    Sighting node = nodes.get(name.toLowerCase(Locale.ROOT));
                    if (node != null) {
                        addresses.addAll(KnownNodes.addressesOf(node.node(), family));
                    }
                }
            }
        }
        return addresses;
    }
}
