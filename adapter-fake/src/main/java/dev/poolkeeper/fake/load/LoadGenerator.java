package dev.poolkeeper.fake.load;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Makes a cluster and lets things happen to it: the same calls give the same events, to the byte. Each method goes on
 * where the one before ended and hands every event to the sink as it is made, so that nothing is held. Not thread-safe.
 */
public final class LoadGenerator {

    private final LoadShape shape;
    private final Consumer<LoadEvent> sink;
    private final Placement placement;
    private long now;

    public LoadGenerator(LoadShape shape, Consumer<LoadEvent> sink) {
        this.shape = shape;
        this.sink = sink;
        this.placement = new Placement(shape);
    }

    /** The time of the next event, in milliseconds since the start. */
    public long nowMillis() {
        return now;
    }

    /** Lets time pass. */
    public void pause(Duration duration) {
        now += duration.toMillis();
    }

    /** Everything comes into being at one moment, as in the lists that a watch begins with. */
    public void start() {
        for (int j = 0; j < shape.nodes(); j++) {
            node(LoadEvent.Type.ADDED, j);
        }
        for (int i = 0; i < shape.services(); i++) {
            sink.accept(new LoadEvent.OfService(
                    now,
                    LoadEvent.Type.ADDED,
                    new ServiceState(shape.service(i), "LoadBalancer", "Local", List.of("IPv4"))));
            for (int s = 0; s < shape.slicesPerService(); s++) {
                slice(LoadEvent.Type.ADDED, i, s);
            }
        }
    }

    /** Every pod of a Service goes to another node, one after another. */
    public void rollingUpdate(int service, Duration perPod) {
        for (int s = 0; s < shape.slicesPerService(); s++) {
            for (int e = 0; e < shape.endpointsPerSlice(); e++) {
                int node = placement.node(service, s, e);
                placement.moveOn(service, s, e, Math.max(0, node + service % 5));
                slice(LoadEvent.Type.MODIFIED, service, s);
                pause(perPod);
            }
        }
    }

    /** A node takes no more pods, its pods go to other nodes, slice by slice, and it is deleted. */
    public void drainNode(int node, Duration perSlice) {
        placement.close(node);
        move(at -> at == node, true, perSlice);
        node(LoadEvent.Type.DELETED, node);
    }

    /**
     * All nodes of a zone are gone at one moment: every slice loses the pods it had there, the nodes are deleted, and
     * after a while the pods are there again on the nodes that are left.
     */
    public void loseZone(int zone, Duration untilPodsAreBack) {
        for (int j = zone; j < shape.nodes(); j += shape.zones()) {
            placement.close(j);
        }
        move(at -> at != Placement.NOWHERE && shape.zone(at) == zone, false, Duration.ZERO);
        for (int j = zone; j < shape.nodes(); j += shape.zones()) {
            node(LoadEvent.Type.DELETED, j);
        }
        pause(untilPodsAreBack);
        move(at -> at == Placement.NOWHERE, true, Duration.ZERO);
    }

    /** The first pod of a Service is gone and there again, so many times. */
    public void flap(int service, int times, Duration every) {
        int node = placement.node(service, 0, 0);
        for (int i = 0; i < times; i++) {
            placement.vacate(service, 0, 0);
            slice(LoadEvent.Type.MODIFIED, service, 0);
            pause(every);
            placement.moveOn(service, 0, 0, node - 1 + shape.nodes());
            slice(LoadEvent.Type.MODIFIED, service, 0);
            pause(every);
        }
    }

    /** Moves or vacates the pods whose node fits; an event for each slice that changed. */
    private void move(IntPredicate nodes, boolean elsewhere, Duration perSlice) {
        for (int i = 0; i < shape.services(); i++) {
            for (int s = 0; s < shape.slicesPerService(); s++) {
                if (move(i, s, nodes, elsewhere)) {
                    slice(LoadEvent.Type.MODIFIED, i, s);
                    pause(perSlice);
                }
            }
        }
    }

    private boolean move(int service, int slice, IntPredicate nodes, boolean elsewhere) {
        boolean moved = false;
        for (int e = 0; e < shape.endpointsPerSlice(); e++) {
            int node = placement.node(service, slice, e);
            if (!nodes.test(node)) {
                continue;
            }
            moved = true;
            if (elsewhere) {
                placement.moveOn(service, slice, e, node == Placement.NOWHERE ? service + e : node);
            } else {
                placement.vacate(service, slice, e);
            }
        }
        return moved;
    }

    private void node(LoadEvent.Type type, int j) {
        sink.accept(new LoadEvent.OfNode(
                now, type, new NodeState(shape.node(j), Map.of(), List.of(shape.address(j))), shape.zone(j)));
    }

    private void slice(LoadEvent.Type type, int i, int s) {
        ServiceName service = shape.service(i);
        List<String> nodeNames = new ArrayList<>(shape.endpointsPerSlice());
        for (int e = 0; e < shape.endpointsPerSlice(); e++) {
            int node = placement.node(i, s, e);
            if (node != Placement.NOWHERE) {
                nodeNames.add(shape.node(node));
            }
        }
        String name = "%s-%05d".formatted(service.name(), s);
        sink.accept(new LoadEvent.OfSlice(
                now, type, new EndpointSliceState(service.namespace(), name, service, "IPv4", nodeNames)));
    }
}
