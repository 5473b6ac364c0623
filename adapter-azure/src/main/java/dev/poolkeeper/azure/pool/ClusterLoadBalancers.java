package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Distinguishes this cluster's load balancers from others: by a {@link LoadBalancerSelection} and, if a tag decides, by
 * the last complete listing, because responses about a pool do not contain its load balancer's tags. Thread-safe.
 */
final class ClusterLoadBalancers {

    private final LoadBalancerSelection selection;
    private volatile Set<ArmName> listed = Set.of();

    ClusterLoadBalancers(LoadBalancerSelection selection) {
        this.selection = selection;
    }

    /** Whether a listed load balancer is selected. */
    boolean isSelected(ArmName loadBalancer, Map<?, ?> tags) {
        return switch (selection) {
            case LoadBalancerSelection.All all -> true;
            case LoadBalancerSelection.Named named -> named.names().contains(loadBalancer);
            case LoadBalancerSelection.Tagged(String name, String value) ->
                tags.entrySet().stream()
                        .anyMatch(tag ->
                                name.equalsIgnoreCase(String.valueOf(tag.getKey())) && value.equals(tag.getValue()));
        };
    }

    /** A complete listing selected these load balancers. */
    void listed(Collection<ArmName> loadBalancers) {
        listed = Set.copyOf(loadBalancers);
    }

    /** Why the pools of this load balancer must not be touched; empty if they may be. */
    Optional<Failure> refusal(ArmName loadBalancer) {
        boolean ours = switch (selection) {
            case LoadBalancerSelection.All all -> true;
            case LoadBalancerSelection.Named named -> named.names().contains(loadBalancer);
            case LoadBalancerSelection.Tagged tagged -> listed.contains(loadBalancer);
        };
        return ours
                ? Optional.empty()
                : Optional.of(Failure.Other.terminal(
                        "load balancer %s is not known to belong to this cluster (%s): its pools are left alone"
                                .formatted(loadBalancer, selection.describe())));
    }
}
