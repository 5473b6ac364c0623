package dev.poolkeeper.ports;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of a Pod labelled {@link #LABEL} that the readiness gate needs, as last reported by the API server.
 *
 * @param id its identity
 * @param labels its labels
 * @param gated whether its {@code spec.readinessGates} contain {@link #GATE}
 * @param ending whether it is being deleted or has terminated
 * @param node the name of the node where it runs; empty until it is scheduled
 * @param ips its IP addresses, in the API server's spelling; empty until it has any
 * @param condition its condition of type {@link #GATE}; empty if absent, neither True nor False, or False without a
 *     {@code lastTransitionTime}
 * @param version its {@code resourceVersion}, which changes with every change of the Pod
 */
public record PodState(
        PodId id,
        Map<String, String> labels,
        boolean gated,
        boolean ending,
        Optional<String> node,
        List<String> ips,
        Optional<ReadinessCondition> condition,
        String version) {

    /** The label, with the value {@code true}, by which Pods opt in and are watched. */
    public static final String LABEL = "poolkeeper.dev/readiness-gate";

    /** The type of the condition, and of the readiness gate that waits for it. */
    public static final String GATE = "poolkeeper.dev/load-balancer-ready";

    public PodState {
        requireNonNull(id, "id");
        labels = Map.copyOf(labels);
        ips = List.copyOf(ips);
        requireNonNull(node, "node");
        requireNonNull(condition, "condition");
        requireNonNull(version, "version");
    }

    /** The same Pod with this condition. */
    public PodState withCondition(ReadinessCondition newCondition) {
        return new PodState(id, labels, gated, ending, node, ips, Optional.of(newCondition), version);
    }

    /** The same Pod in this version. */
    public PodState withVersion(String newVersion) {
        return new PodState(id, labels, gated, ending, node, ips, condition, newVersion);
    }

    /** Whether it waits for its gate: it has one, the condition is not True, and it is not ending. */
    public boolean isWaiting() {
        return gated && !ending && !condition.map(ReadinessCondition::met).orElse(false);
    }
}
