package dev.poolkeeper.fake.load;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Generates a cluster and events in it: the same calls produce byte-identical events. Each method continues where the
 * previous one ended and passes every event to the sink immediately, so that none is kept in memory. Not thread-safe.
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

    /** Advances the time. */
    public void pause(Duration duration) {
        now += duration.toMillis();
    }

    /** Creates all objects at the same time, as in a watch's initial list. */
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

    /** Moves every pod of a Service to another node, one after another. */
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

    /** Cordons a node, moves its pods to other nodes, slice by slice, and deletes it. */
    public void drainNode(int node, Duration perSlice) {
        placement.close(node);
        move(at -> at == node, true, perSlice);
        node(LoadEvent.Type.DELETED, node);
    }

    /**
     * Loses all nodes of a zone at once: every slice loses its pods there, the nodes are deleted, and after a while the
     * pods run again on the remaining nodes.
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

    /** Removes and restores the first pod of a Service repeatedly. */
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

    /** Moves or removes the pods on matching nodes, with one event for each changed slice. */
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
        String name = String.format(Locale.ROOT, "%s-%05d", service.name(), s);
        sink.accept(new LoadEvent.OfSlice(
                now, type, new EndpointSliceState(service.namespace(), name, service, "IPv4", nodeNames)));
    }
}
