package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** S10. */
final class Bookkeeping extends Invariant {

    private static final int NOT_FOUND = 404;

    private record Place(SimulatedDaemon daemon, PoolKey pool) {}

    /** An accepted write that failed: when its call began, and when it ended. */
    private record FailedWrite(long begun, long at) {}

    private record Report(ServiceName service, ServiceEvent.Reason reason) {}

    private static final class Attempt {
        final Set<Count> counts = EnumSet.noneOf(Count.class);
        final Set<Report> reports = new HashSet<>();
    }

    private final Map<Place, Attempt> attempts = new HashMap<>();

    /** Writes that ARM accepted. */
    private final Set<Place> accepted = new HashSet<>();

    /** When the last call of the term began, for each pool. */
    private final Map<Place, Long> begun = new HashMap<>();

    /** Accepted writes that then failed, until that is counted. */
    private final Map<Place, FailedWrite> failures = new HashMap<>();

    Bookkeeping(Scene scene) {
        super(
                "S10 bookkeeping",
                "An attempt is counted at most once per outcome and emits each reason at most once per Service, every"
                        + " reported outcome was counted, and so was the failure of every write that ARM accepted.",
                scene);
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        accepted.remove(new Place(daemon, pool));
        begun.put(new Place(daemon, pool), now());
        if (write) {
            return;
        }
        attempts.put(new Place(daemon, pool), new Attempt());
    }

    @Override
    public void answered(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int status) {
        if (purpose != Purpose.WRITE || pool == null) {
            return;
        }
        if (status >= 200 && status < 300) {
            Place place = new Place(daemon, pool);
            if (begun.containsKey(place)) {
                accepted.add(place);
            }
        } else if (status == NOT_FOUND) {
            accepted.remove(new Place(daemon, pool)); // a retry of it found that the pool is gone
        }
    }

    @Override
    public void callEnds(SimulatedDaemon daemon, boolean write, PoolKey pool, Reply<BackendPool> reply) {
        boolean isFailure = reply instanceof Reply.Failed<BackendPool>(Failure failure)
                && !(failure instanceof Failure.Cancelled)
                && !(failure instanceof Failure.Throttled);
        if (isFailure && accepted.remove(new Place(daemon, pool)) && daemon.isLeader()) {
            failures.put(
                    new Place(daemon, pool),
                    new FailedWrite(begun.getOrDefault(new Place(daemon, pool), now()), now()));
        }
    }

    @Override
    public void leads(SimulatedDaemon daemon, boolean now) {
        accepted.removeIf(place -> place.daemon().equals(daemon)); // calls of an ended term report nothing
        begun.keySet().removeIf(place -> place.daemon().equals(daemon));
        failures.keySet().removeIf(place -> place.daemon().equals(daemon));
    }

    @Override
    public void killed(SimulatedDaemon daemon) {
        failures.keySet().removeIf(place -> place.daemon().equals(daemon));
    }

    @Override
    public void afterEvent() {
        failures.entrySet().removeIf(entry -> {
            SimulatedDaemon daemon = entry.getKey().daemon();
            PoolKey pool = entry.getKey().pool();
            FailedWrite failure = entry.getValue();
            boolean mayBeLeft = daemon.isStopping()
                    || !daemon.knowledge().isUsed(pool)
                    || daemon.knowledge().usersSince(pool) >= failure.begun();
            boolean isLate = now() > failure.at() && !daemon.process().isPaused();
            if (isLate && !mayBeLeft) {
                violated("%s does not count the failure of its accepted write of %s", daemon, pool);
            }
            return isLate || mayBeLeft;
        });
    }

    @Override
    public void counted(SimulatedDaemon daemon, Count count, PoolKey pool) {
        if (count == Count.REFUSED) {
            return;
        }
        failures.remove(new Place(daemon, pool));
        Attempt attempt = attempts.get(new Place(daemon, pool));
        if (attempt == null || !attempt.counts.add(count)) {
            violated("%s counts %s of %s%s", daemon, count, pool, attempt == null ? " without an attempt" : " twice");
        }
    }

    @Override
    public void event(SimulatedDaemon daemon, ServiceEvent event) {
        Count count = switch (event.reason()) {
            case UPDATED -> Count.SUCCEEDED;
            case RETRYING -> Count.RETRIED;
            case FAILED -> Count.FAILED;
            case HELD -> Count.REFUSED;
        };
        if (count == Count.REFUSED) {
            return;
        }
        Attempt attempt = attempts.get(new Place(daemon, event.pool()));
        if (attempt == null || !attempt.counts.contains(count)) {
            violated("%s emits for %s %s, which was not counted", daemon, event.service(), event.reason());
        } else if (!attempt.reports.add(new Report(event.service(), event.reason()))) {
            violated("%s emits for %s %s twice after one attempt", daemon, event.service(), event.reason());
        }
    }
}
