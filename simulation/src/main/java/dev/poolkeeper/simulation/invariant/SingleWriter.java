package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** S1. */
final class SingleWriter extends Invariant {

    /** A leader without a renewal for this time has stopped leading. */
    private static final long FRESH = 13 * Timeline.SECONDS;

    /** How long a renewal lasts, by the process's own clock, which each look moves a little. */
    private static final long RENEWED = 10 * Timeline.SECONDS + Timeline.MILLIS;

    private record Write(String writer, PoolKey pool) {}

    private record Place(SimulatedDaemon daemon, PoolKey pool) {}

    /** Calls that began without leadership: those that send no request were stopped in time. */
    private final Set<Place> strays = new HashSet<>();

    private final Map<Write, String> readVersions = new HashMap<>();

    SingleWriter(Scene scene) {
        super(
                "S1 single writer",
                "Two processes never lead at once; a leader whose renewals are not accepted leads for ten"
                        + " seconds after it sent the last accepted one; only a leader starts reads and writes or"
                        + " repeats their requests; and a write that was already in progress takes effect only on a"
                        + " pool unchanged since its read.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Published(SimulatedDaemon daemon, Fact.CallBegins call) ->
                begins(new Place(daemon, call.pool()));
            case Observation.Sent(var daemon, var purpose, var pool, int attempt)
            when pool != null -> sent(new Place(daemon, pool), purpose, attempt);
            case Observation.Put put ->
                readVersions.put(
                        new Write(put.daemon().name(), put.read().key()),
                        String.valueOf(put.read().etag()));
            case Observation.Written(PoolImage before, PoolImage after, String writer) ->
                written(before, after, writer);
            default -> {}
        }
    }

    private void begins(Place place) {
        if (place.daemon().isLeader()) {
            strays.remove(place);
        } else {
            strays.add(place);
        }
    }

    private void sent(Place place, Purpose purpose, int attempt) {
        boolean isOfCall = purpose == Purpose.READ || purpose == Purpose.WRITE;
        if (isOfCall && strays.contains(place)) {
            violated("%s starts a %s of %s without being leader", place.daemon(), purpose, place.pool());
        } else if (isOfCall && attempt > 0 && !place.daemon().isLeader()) {
            violated("%s repeats its %s of %s without being leader", place.daemon(), purpose, place.pool());
        }
    }

    private void written(PoolImage before, PoolImage after, String writer) {
        String read = readVersions.get(new Write(writer, after.key()));
        if (read != null && !read.equals(before.etag())) {
            violated(
                    "a write of %s that was computed from version %s of %s took effect on version %s",
                    writer, read, after.key(), String.valueOf(before.etag()));
        }
    }

    @Override
    public void afterEvent() {
        List<SimulatedDaemon> leaders = new ArrayList<>(2);
        for (SimulatedDaemon daemon : scene().daemons()) {
            if (daemon.isLeader() && daemon.machine().clock().nanoTime() - daemon.leadershipRenewed() > RENEWED) {
                violated("%s still leads more than ten seconds after it sent its latest renewal", daemon);
            }
            // no clock-based election works if a monotonic clock deviates that much
            if (daemon.isLeader() && !daemon.machine().wasOutOfStepSince(now() - FRESH)) {
                leaders.add(daemon);
            }
        }
        if (leaders.size() > 1) {
            violated("%s and %s both lead", leaders.get(0), leaders.get(1));
        }
    }
}
