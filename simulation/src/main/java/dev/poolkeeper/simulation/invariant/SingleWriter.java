package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** S1. */
final class SingleWriter extends Invariant {

    /** A leader without a renewal for this time has stopped leading. */
    private static final long FRESH = 13 * Timeline.SECONDS;

    /** How long a renewal lasts, by the process's own clock, which each look moves a little. */
    private static final long RENEWED = 10 * Timeline.SECONDS + Timeline.MILLIS;

    private record Write(String writer, PoolKey pool) {}

    private final Map<Write, String> readVersions = new HashMap<>();

    SingleWriter(Scene scene) {
        super(
                "S1 single writer",
                "Two processes never lead at once, a leader whose renewal was not accepted leads for ten seconds after"
                    + " the latest one was sent, only a leader starts reads and writes or repeats their requests, and"
                    + " a write that was already in progress takes effect only on a pool unchanged since its read.",
                scene);
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

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        if (!daemon.isLeader()) {
            violated("%s starts to %s %s without being leader", daemon, write ? "write" : "read", pool);
        }
    }

    @Override
    public void sent(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int attempt) {
        boolean isOfCall = pool != null && (purpose == Purpose.READ || purpose == Purpose.WRITE);
        if (isOfCall && attempt > 0 && !daemon.isLeader()) {
            violated("%s repeats its %s of %s without being leader", daemon, purpose, String.valueOf(pool));
        }
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        readVersions.put(new Write(daemon.name(), read.key()), String.valueOf(read.etag()));
    }

    @Override
    public void written(PoolImage before, PoolImage after, String writer) {
        String read = readVersions.get(new Write(writer, after.key()));
        if (read != null && !read.equals(before.etag())) {
            violated(
                    "a write of %s that was computed from version %s of %s took effect on version %s",
                    writer, read, after.key(), String.valueOf(before.etag()));
        }
    }
}
