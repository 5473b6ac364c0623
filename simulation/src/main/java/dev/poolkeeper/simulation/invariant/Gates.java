package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.cluster.WaitingPods.WaitingPod;
import dev.poolkeeper.simulation.daemon.GatePatch;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** S23. Based on the patches sent, and on the content of pools as ARM sent it and as ARM holds it. */
final class Gates extends Invariant {

    /** How long after a decision a gate may be opened, unless requests are slow. */
    private static final long LOOK = 2 * Timeline.SECONDS;

    private record Entry(PoolKey pool, IpAddress address) {}

    /** The process that last removed an entry that is absent. */
    private final Map<Entry, String> removedBy = new HashMap<>();

    private final Set<String> opened = new HashSet<>();

    /** Since when each closed gate is closed, as it says. */
    private final Map<String, String> closedSince = new HashMap<>();

    Gates(Scene scene) {
        super(
                "S23 readiness gate",
                "Only a leader sets a gate's condition. The gate is opened as in the pools only if ARM has"
                        + " reported the node to the process in every pool whose Service lists the Pod, and no write"
                        + " of its own removed the node since. An open gate is never closed again, so False is sent"
                        + " only for the version that was judged. The time of the last transition stays. Every gate"
                        + " whose pools exist is open once faults have stopped for 165 s.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Written(PoolImage before, PoolImage after, String writer) ->
                written(before, after, writer);
            case Observation.GateSent(SimulatedDaemon daemon, GatePatch patch) -> gateSent(daemon, patch);
            case Observation.GateAccepted(SimulatedDaemon daemon, GatePatch patch) -> gateAccepted(daemon, patch);
            default -> {}
        }
    }

    private void written(PoolImage before, PoolImage after, String writer) {
        for (IpAddress address : before.addresses().minus(after.addresses())) {
            removedBy.put(new Entry(after.key(), address), writer);
        }
        for (IpAddress address : after.addresses()) {
            removedBy.remove(new Entry(after.key(), address));
        }
    }

    private void gateSent(SimulatedDaemon daemon, GatePatch patch) {
        if (!daemon.isLeader()) {
            violated("%s sets the gate of %s without being leader", daemon, patch.uid());
        } else if (patch.uid().isEmpty() || patch.open() != patch.version().isEmpty()) {
            violated("%s sets a gate with other conditions than it should: %s", daemon, patch);
        } else if (patch.open() && patch.reason().equals("InPool")) {
            scene().pods().find(patch.uid()).ifPresent(pod -> judge(daemon, pod));
        }
    }

    private void judge(SimulatedDaemon daemon, WaitingPod pod) {
        for (PoolKey pool : daemon.knowledge().poolsListing(pod.namespace(), pod.uid())) {
            if (daemon.knowledge().lastSliceChange(pool) > now() - LOOK // it may have been decided before
                    || daemon.knowledge().isInDoubt(pool)) {
                continue;
            }
            for (IpAddress address : daemon.knowledge().addressesOf(pod.node(), pool)) {
                AddressSet seen = daemon.seen().of(pool);
                String remover = removedBy.get(new Entry(pool, address));
                if (seen == null || !seen.contains(address)) {
                    violated("%s opens the gate of %s, but saw %s without %s", daemon, pod, pool, address);
                } else if (daemon.name().equals(remover)) {
                    violated("%s opens the gate of %s, but has removed %s from %s", daemon, pod, address, pool);
                }
            }
        }
    }

    private void gateAccepted(SimulatedDaemon daemon, GatePatch patch) {
        if (patch.open()) {
            opened.add(patch.uid());
            return;
        }
        String before = closedSince.put(patch.uid(), patch.since());
        if (before != null && !before.equals(patch.since())) {
            violated(
                    "%s says that the gate of %s is closed since %s; it has been since %s",
                    daemon, patch.uid(), patch.since(), before);
        }
        if (opened.contains(patch.uid())) {
            scene().pods()
                    .find(patch.uid())
                    .filter(pod -> !scene().pods().isOpen(pod))
                    .ifPresent(pod -> violated("%s has closed the gate of %s, which was open", daemon, pod));
        }
    }

    /** Called some time after faults and changes stopped. */
    void check() {
        for (WaitingPod pod : scene().pods().all()) {
            if (!scene().pods().isOpen(pod) && !scene().truth().lacksPool(pod, scene().arm())) {
                violated("the gate of %s is still closed", pod);
            }
        }
    }
}
