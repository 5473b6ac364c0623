package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Distinguishes this cluster's load balancers from others: by a {@link LoadBalancerSelection}, and where a tag decides,
 * by what the last whole listing saw, since an answer about a pool does not have its load balancer's tags. Thread-safe.
 */
final class ClusterLoadBalancers {

    private final LoadBalancerSelection selection;
    private volatile Set<ArmName> listed = Set.of();

    ClusterLoadBalancers(LoadBalancerSelection selection) {
        this.selection = selection;
    }

    /** Whether a listed load balancer counts. */
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

    /** A listing came to its end and selected these. */
    void listed(Collection<ArmName> loadBalancers) {
        listed = Set.copyOf(loadBalancers);
    }

    /** Why no pool of this load balancer is touched; nothing where it may be. */
    Optional<Failure> refusal(ArmName loadBalancer) {
        boolean ours = switch (selection) {
            case LoadBalancerSelection.All all -> true;
            case LoadBalancerSelection.Named named -> named.names().contains(loadBalancer);
            case LoadBalancerSelection.Tagged tagged -> listed.contains(loadBalancer);
        };
        return ours
                ? Optional.empty()
                : Optional.of(Failure.Other.terminal(
                        "load balancer %s is not known as one of this cluster's (%s): its pools are left alone"
                                .formatted(loadBalancer, selection.describe())));
    }
}
