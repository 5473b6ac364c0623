package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.cluster.WaitingPods.WaitingPod;
import dev.poolkeeper.simulation.daemon.GatePatch;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** G1. Judged by the patches that go over the wire, and by what ARM showed the process and holds itself. */
final class Gates extends Invariant {

    private record Entry(PoolKey pool, IpAddress address) {}

    private record Opened(SimulatedDaemon daemon, String uid) {}

    /** Who last removed an entry that is not there. */
    private final Map<Entry, String> removedBy = new HashMap<>();

    private final Set<Opened> opened = new HashSet<>();

    Gates(Scene scene) {
        super(
                "G1 readiness gate",
                "Only a leader sets a gate's condition. It says that the node is in the pools only while ARM has shown"
                        + " the process so of every pool whose Service lists the Pod, and no write of its own removed"
                        + " the node since. An open gate is never shut again, and every gate is open once faults have"
                        + " stopped.",
                scene);
    }

    @Override
    public void written(PoolImage before, PoolImage after, String writer) {
        for (IpAddress address : before.addresses().minus(after.addresses())) {
            removedBy.put(new Entry(after.key(), address), writer);
        }
        for (IpAddress address : after.addresses()) {
            removedBy.remove(new Entry(after.key(), address));
        }
    }

    @Override
    public void gateSent(SimulatedDaemon daemon, GatePatch patch) {
        if (!daemon.isLeader()) {
            violated("%s does not lead and sets the gate of %s", daemon, patch.uid());
        } else if (!patch.open() && opened.contains(new Opened(daemon, patch.uid()))) {
            violated("%s shuts the gate of %s, and had opened it", daemon, patch.uid());
        } else if (patch.open() && patch.reason().equals("InPool")) {
            scene().pods().find(patch.uid()).ifPresent(pod -> judge(daemon, pod));
        }
    }

    private void judge(SimulatedDaemon daemon, WaitingPod pod) {
        for (PoolKey pool : daemon.knowledge().poolsListing(pod.uid())) {
            IpFamily family = pool.pool().toString().endsWith("-ipv6") ? IpFamily.IPV6 : IpFamily.IPV4;
            for (IpAddress address : daemon.knowledge().addressesOf(pod.node(), family)) {
                AddressSet seen = daemon.seen().of(pool);
                String remover = removedBy.get(new Entry(pool, address));
                if (seen == null || !seen.contains(address)) {
                    violated("%s opens the gate of %s, and saw %s without %s", daemon, pod, pool, address);
                } else if (daemon.name().equals(remover)) {
                    violated("%s opens the gate of %s, and has removed %s from %s", daemon, pod, address, pool);
                }
            }
        }
    }

    @Override
    public void gateAccepted(SimulatedDaemon daemon, GatePatch patch) {
        if (patch.open()) {
            opened.add(new Opened(daemon, patch.uid()));
        }
    }

    /** Faults and changes stopped a while ago. */
    void check() {
        for (WaitingPod pod : scene().pods().all()) {
            if (!scene().pods().isOpen(pod)) {
                violated("the gate of %s is still shut", pod);
            }
        }
    }
}
