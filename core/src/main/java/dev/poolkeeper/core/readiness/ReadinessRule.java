package dev.poolkeeper.core.readiness;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.engine.Why;
import dev.poolkeeper.core.facts.HoldTexts;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.readiness.Readiness.Reason;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Decides the condition of a Pod's gate from a snapshot of the cluster and the pools. Pure.
 *
 * <p>A Pod is ready when each pool of its local Services holds its node, for each family in which a slice lists the
 * Pod: a read or a successful write showed the node's addresses, they are wanted, and no write that waits, is in
 * progress, or failed with an unknown outcome removes them. If no slice of a local Service lists the Pod yet, the Pod
 * waits.
 *
 * <p>The timeout counts from the {@code lastTransitionTime} of the condition while it is False, which is the same on
 * every replica; while there is no condition, from this leader's first look at the Pod.
 */
final class ReadinessRule {

    private final Duration timeout;
    private final NodeAddresses nodes;
    private final Function<ServiceName, List<PoolStatus>> pools;

    /**
     * @param timeout zero for no timeout
     * @param nodes the nodes' addresses
     * @param pools the pools of a Service; empty if it is not local
     */
    ReadinessRule(Duration timeout, NodeAddresses nodes, Function<ServiceName, List<PoolStatus>> pools) {
        this.timeout = requireNonNull(timeout, "timeout");
        this.nodes = requireNonNull(nodes, "nodes");
        this.pools = requireNonNull(pools, "pools");
    }

    /** @param firstLook when this leader first saw that the Pod waits */
    Readiness decide(GatedPod gated, Instant firstLook, Instant now) {
        Readiness found = gated.pod().node().isEmpty()
                ? waiting("The Pod is not scheduled yet")
                : gated.pod().ips().isEmpty() ? waiting("The Pod has no IP address yet") : judge(gated);
        return found.isReady() || !isTimedOut(gated.pod(), firstLook, now)
                ? found
                : new Readiness(
                        Reason.TIMED_OUT,
                        "Not waiting any longer than %s s (readinessGate.timeoutInSeconds). %s"
                                .formatted(timeout.toSeconds(), found.message()));
    }

    private boolean isTimedOut(PodState pod, Instant firstLook, Instant now) {
        Instant since = pod.condition().map(ReadinessCondition::since).orElse(firstLook);
        return !timeout.isZero() && !now.isBefore(since.plus(timeout));
    }

    private Readiness judge(GatedPod gated) {
        String node = gated.pod().node().orElseThrow();
        boolean isLocal = false;
        List<Optional<Readiness>> found = new ArrayList<>();
        for (Map.Entry<ServiceName, Set<IpFamily>> listed : gated.services().entrySet()) {
            List<PoolStatus> its = pools.apply(listed.getKey());
            isLocal |= !its.isEmpty();
            found.addAll(judge(node, listed.getKey(), listed.getValue(), its));
        }
        if (!isLocal) {
            return new Readiness(Reason.NO_LOCAL_SERVICE, "No Service with a local backend pool selects the Pod");
        }
        if (found.isEmpty()) {
            return new Readiness(
                    Reason.NODE_NOT_ELIGIBLE,
                    "Node %s is excluded from load balancers, or has no address of the pools' family".formatted(node));
        }
        return found.stream().flatMap(Optional::stream).findFirst().orElseGet(() -> inPool(node, found.size()));
    }

    private static Readiness inPool(String node, int pools) {
        return new Readiness(
                Reason.IN_POOL,
                pools == 1
                        ? "The backend pool holds node " + node
                        : "All %s backend pools hold node %s".formatted(pools, node));
    }

    /** What each pool of the Service that counts for the Pod still lacks: empty if the Pod need not wait for it. */
    private List<Optional<Readiness>> judge(
            String node, ServiceName service, Set<IpFamily> listed, List<PoolStatus> its) {
        List<Optional<Readiness>> found = new ArrayList<>();
        boolean isEligible = false;
        for (PoolStatus pool : its) {
            IpFamily family = IpFamily.of(service, pool.pool());
            Optional<AddressSet> addresses = nodes.of(node, family);
            if (addresses.filter(AddressSet::isEmpty).isPresent()) {
                continue;
            }
            isEligible = true;
            if (listed.contains(family)) {
                found.add(addresses
                        .map(of -> problem(node, pool, of).map(problem -> because(pool, problem)))
                        .orElseGet(() -> Optional.of(waiting("Node " + node + " has not been seen yet"))));
            }
        }
        if (isEligible && found.isEmpty()) {
            found.add(Optional.of(waiting("No EndpointSlice of Service " + service + " lists the Pod yet")));
        }
        return found;
    }

    /** Empty if the pool holds the addresses and no write may remove them. */
    private static Optional<String> problem(String node, PoolStatus pool, AddressSet addresses) {
        AddressSet missing =
                addresses.minus(pool.known().map(KnownPool::addresses).orElse(AddressSet.empty()));
        if (!missing.isEmpty()) {
            return Optional.of("does not hold %s of node %s yet".formatted(list(missing), node));
        }
        Optional<ProvisioningState> unsettled =
                pool.known().map(KnownPool::provisioning).filter(state -> state != ProvisioningState.SUCCEEDED);
        if (unsettled.isPresent()) {
            return Optional.of("has the provisioningState " + unsettled.get());
        }
        AddressSet leaving = addresses.intersect(pool.leaving());
        if (!leaving.isEmpty()) {
            return Optional.of("may lose %s of node %s to an earlier update".formatted(list(leaving), node));
        }
        return addresses.minus(pool.wanted()).isEmpty()
                ? Optional.empty()
                : Optional.of("holds %s of node %s, which is not wanted yet".formatted(list(addresses), node));
    }

    private static Readiness because(PoolStatus pool, String problem) {
        String subject = "Backend pool %s %s".formatted(pool.pool(), problem);
        return pool.difference()
                .map(difference -> because(subject, difference.why()))
                .orElseGet(() -> waiting(subject));
    }

    private static Readiness because(String subject, Why why) {
        return switch (why) {
            case Why.OnHold(HoldCause held) -> new Readiness(Reason.HELD, subject + ": " + HoldTexts.message(held));
            case Why.Parked(Optional<Failure> last) -> failed(subject, last, "it will be retried");
            case Why.Retrying(Failure last) -> failed(subject, Optional.of(last), "it will be retried");
            case Why.GaveUp(Failure last) ->
                failed(subject, Optional.of(last), "the next EndpointSlice event or comparison retries it");
            case Why.LockHeld(Optional<ResourceLock.Holder> holder) ->
                waiting(subject
                        + (holder.isPresent()
                                ? ": another writer holds the resource lock"
                                : ": the resource lock is not available"));
            case Why.NotCompared not -> waiting(subject);
            case Why.Plain plain ->
                switch (plain) {
                    case INCOMPLETE -> waiting(subject + ": not every EndpointSlice and node has been seen");
                    case IN_PROGRESS, QUEUED, SHORT_OF_QUOTA ->
                        waiting(subject + ": an update is queued or in progress");
                    case NOT_LEADING, NOT_LISTED -> waiting(subject);
                };
        };
    }

    private static Readiness failed(String subject, Optional<Failure> last, String remedy) {
        String failure = last.map(it -> " (" + it.note() + ")").orElse("");
        return new Readiness(
                Reason.UPDATE_FAILED, "%s: the last attempt failed%s; %s".formatted(subject, failure, remedy));
    }

    private static Readiness waiting(String message) {
        return new Readiness(Reason.WAITING_FOR_POOL, message);
    }

    private static String list(AddressSet addresses) {
        return addresses.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
