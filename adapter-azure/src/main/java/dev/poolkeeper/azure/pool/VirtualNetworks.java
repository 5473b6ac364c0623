package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.ArmName;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The virtual networks for pools that have none, as the cloud provider creates them for a Service without endpoints;
 * ARM refuses addresses without one. It is the configured one, or else that of the other pools of the load balancer if
 * they agree. Thread-safe.
 */
final class VirtualNetworks {

    static final String REMEDY = "the pool has no virtual network: set vnetName (and vnetResourceGroup)";

    private static final Logger log = LoggerFactory.getLogger(VirtualNetworks.class);

    private final Optional<String> configured;
    private Map<ArmName, String> byLoadBalancer = Map.of();
    private Set<String> reported = Set.of();

    VirtualNetworks(Optional<String> configured) {
        this.configured = configured;
    }

    /** The id of the network for pools without one; empty if it is not known. */
    synchronized Optional<String> of(ArmName loadBalancer) {
        return configured.or(() -> Optional.ofNullable(byLoadBalancer.get(loadBalancer)));
    }

    /** A complete listing; logs once which load balancers have pools that cannot be written. */
    synchronized void listed(List<ListedLoadBalancer> loadBalancers) {
        Map<ArmName, Map<String, String>> ids = new HashMap<>();
        loadBalancers.forEach(
                it -> ids.computeIfAbsent(it.name(), name -> new HashMap<>()).putAll(it.networks()));
        Map<ArmName, String> networks = new HashMap<>();
        ids.forEach((name, all) -> {
            if (all.size() == 1) {
                networks.put(name, all.values().iterator().next());
            }
        });
        Set<String> lacking = loadBalancers.stream()
                .filter(it -> it.hasPoolWithoutNetwork() && !networks.containsKey(it.name()))
                .map(it -> it.name().toString())
                .collect(Collectors.toCollection(TreeSet::new));
        byLoadBalancer = Map.copyOf(networks);
        if (configured.isEmpty() && !lacking.isEmpty() && !reported.containsAll(lacking)) {
            log.atWarn()
                    .addKeyValue("loadBalancers", lacking)
                    .log("Pools have no virtual network, and Azure refuses to add addresses to them: set vnetName");
        }
        reported = Set.copyOf(lacking);
    }

    /** The ids of the networks of a pool and its entries, by lower case; those of its entries' subnets included. */
    static Map<String, String> in(Map<?, ?> properties) {
        Map<String, String> ids = new HashMap<>();
        add(ids, id(properties.get("virtualNetwork")));
        if (properties.get("loadBalancerBackendAddresses") instanceof List<?> entries) {
            for (Object entry : entries) {
                if (entry instanceof Map<?, ?> map && map.get("properties") instanceof Map<?, ?> fields) {
                    add(ids, id(fields.get("virtualNetwork")));
                    add(ids, networkOf(id(fields.get("subnet"))));
                }
            }
        }
        return ids;
    }

    private static void add(Map<String, String> ids, @Nullable String id) {
        if (id != null) {
            ids.putIfAbsent(id.toLowerCase(Locale.ROOT), id);
        }
    }

    /** A reference's id; null if it has none. */
    static @Nullable String id(@Nullable Object reference) {
        return reference instanceof Map<?, ?> map && map.get("id") instanceof String id && !id.isBlank() ? id : null;
    }

    private static @Nullable String networkOf(@Nullable String subnet) {
        int end = subnet == null ? -1 : subnet.toLowerCase(Locale.ROOT).lastIndexOf("/subnets/");
        return subnet == null || end < 0 ? null : subnet.substring(0, end);
    }
}
