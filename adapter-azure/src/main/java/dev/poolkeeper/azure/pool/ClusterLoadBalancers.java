package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.InvalidAnswerException;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    /**
     * Whether a listed load balancer is selected.
     *
     * @param tags its tags as sent by ARM
     * @throws InvalidAnswerException if the tags decide and are invalid
     */
    boolean isSelected(ArmName loadBalancer, @Nullable Object tags) throws InvalidAnswerException {
        return switch (selection) {
            case LoadBalancerSelection.All all -> true;
            case LoadBalancerSelection.Named named -> named.names().contains(loadBalancer);
            case LoadBalancerSelection.Tagged tagged -> isTagged(tagged, tags);
        };
    }

    private static boolean isTagged(LoadBalancerSelection.Tagged selection, @Nullable Object tags)
            throws InvalidAnswerException {
        if (tags == null) {
            return false;
        }
        if (!(tags instanceof Map<?, ?> all)) {
            throw new InvalidAnswerException("its tags are not an object");
        }
        return all.entrySet().stream()
                .anyMatch(tag -> selection.name().equalsIgnoreCase(String.valueOf(tag.getKey()))
                        && selection.value().equals(tag.getValue()));
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
