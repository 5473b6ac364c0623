package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.cluster.WaitingPods.WaitingPod;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** S29. Based on the content of pools as ARM sent it, and on the Pods at the API server. */
final class GatesInTime extends Invariant {

    private static final long EVERY = 2 * Timeline.SECONDS;

    /** The process may have to notice that its watch of Pods is silent, and to list them. */
    private static final long LONGEST = 60 * Timeline.SECONDS;

    private final Map<WaitingPod, Long> inPoolsSince = new HashMap<>();

    /**
     * The pools to which a write of each process failed, and when: it may have removed the node until they are seen.
     */
    private final Map<SimulatedDaemon, Map<PoolKey, Long>> inDoubtSince = new HashMap<>();

    private final Map<SimulatedDaemon, Long> leadsSince = new HashMap<>();
    private long next = EVERY;

    GatesInTime(Scene scene) {
        super(
                "S29 gates in time",
                "The gate of a Pod whose node a leader has seen in force for 60 s in each pool that lists it, after"
                        + " its last write of the pool, is open once it has listed the load balancers, unless the API"
                        + " server refuses to write this Pod: no other Pod holds it up, and no slice of another"
                        + " namespace.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Leads leads -> {
                inPoolsSince.clear();
                leadsSince.put(leads.daemon(), now());
            }
            case Observation.Published(SimulatedDaemon daemon, Fact.CallEnded call) -> callEnds(daemon, call);
            default -> {}
        }
    }

    private void callEnds(SimulatedDaemon daemon, Fact.CallEnded call) {
        Map<PoolKey, Long> inDoubt = inDoubtSince.computeIfAbsent(daemon, key -> new HashMap<>());
        if (call.reply() instanceof Reply.Ok<BackendPool>) {
            inDoubt.remove(call.pool());
        } else if (call instanceof Fact.WriteEnded) {
            inDoubt.put(call.pool(), now());
        }
    }

    @Override
    public void afterEvent() {
        if (now() < next) {
            return;
        }
        next = now() + EVERY;
        List<SimulatedDaemon> leaders =
                scene().daemons().stream().filter(SimulatedDaemon::isLeader).toList();
        if (leaders.size() != 1 || !isCalm(leaders.getFirst())) {
            inPoolsSince.clear();
            return;
        }
        for (WaitingPod pod : scene().pods().all()) {
            if (scene().pods().isOpen(pod) || scene().pods().isRefused(pod) || !isInPools(leaders.getFirst(), pod)) {
                inPoolsSince.remove(pod);
            } else if (inPoolsSince.computeIfAbsent(pod, key -> now()) < now() - LONGEST) {
                violated(
                        "%s has not opened the gate of %s, whose node is in its pools since %s",
                        leaders.getFirst(), pod, seconds(inPoolsSince.get(pod)));
            }
        }
    }

    private boolean isCalm(SimulatedDaemon leader) {
        return leader.opensGates()
                && !leader.isStopping()
                && !leader.process().isPaused()
                && leader.machine().network().isCalm()
                && leader.seen().lastListingEnded() >= leadsSince.getOrDefault(leader, 0L)
                && !leader.machine().wasOutOfStepSince(now() - LONGEST);
    }

    private boolean isInDoubt(SimulatedDaemon leader, PoolKey pool) {
        Long since = inDoubtSince.getOrDefault(leader, Map.of()).get(pool);
        return since != null && since >= leader.seen().lastListingAsked();
    }

    private boolean isInPools(SimulatedDaemon leader, WaitingPod pod) {
        Knowledge knowledge = leader.knowledge();
        Set<PoolKey> pools = knowledge.poolsListing(pod.namespace(), pod.uid());
        return !pools.isEmpty() && pools.stream().allMatch(pool -> isIn(leader, pool, pod));
    }

    private boolean isIn(SimulatedDaemon leader, PoolKey pool, WaitingPod pod) {
        AddressSet addresses = leader.knowledge().addressesOf(pod.node(), pool);
        AddressSet seen = leader.seen().of(pool);
        return !addresses.isEmpty()
                && seen != null
                && leader.seen().isInForce(pool)
                && !isInDoubt(leader, pool)
                && leader.calls().began(pool) > now() // until a call has ended, it may be about to remove the node
                && addresses.minus(seen).isEmpty()
                && addresses.minus(leader.knowledge().wantedIn(pool)).isEmpty();
    }
}
