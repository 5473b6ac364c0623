package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.cluster.OtherController;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** S21. Based on the Leases that the API server accepted, and on true time. */
final class TurnOfOthers extends Invariant {

    /** A minute by the slowest clock, plus a request. */
    private static final long LONGEST = 69 * Timeline.SECONDS;

    /** More than ten seconds by the slowest clock, plus two requests. */
    private static final long LONG = 14 * Timeline.SECONDS;

    /** Five seconds by the fastest clock. */
    private static final long TURN = 4_500 * Timeline.MILLIS;

    /** How many processes have used each identity. */
    private final Map<String, Integer> bearers = new HashMap<>();

    TurnOfOthers(Scene scene) {
        super(
                "S21 turn of others",
                "No call starts under a hold of the resource lock that is older than a minute; a process"
                        + " that the Lease named for more than ten seconds leaves it free for five; a controller that"
                        + " asks like the Go provider acquires the lock within 160 s once faults have stopped, and no"
                        + " write of ours starts meanwhile.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Started(SimulatedDaemon daemon) -> bearers.merge(daemon.identity(), 1, Integer::sum);
            case Observation.Published(SimulatedDaemon daemon, Fact.CallBegins call) -> begins(daemon, call);
            case Observation.LockTaken(LockHistory.Hold before, LockHistory.Hold now) -> lockTaken(before, now);
            case Observation.Put put -> put(put.daemon(), put.read().key());
            default -> {}
        }
    }

    private Optional<SimulatedDaemon> onlyOne(String identity) {
        return scene().daemons().stream()
                .filter(daemon -> daemon.identity().equals(identity) && bearers.getOrDefault(identity, 0) == 1)
                .findFirst();
    }

    private boolean isInStep(SimulatedDaemon daemon, long since) {
        return !daemon.machine().wasOutOfStepSince(since);
    }

    private void begins(SimulatedDaemon daemon, Fact.CallBegins call) {
        LockHistory.Hold hold = scene().resourceLock().current();
        if (hold != null
                && onlyOne(hold.holder()).filter(daemon::equals).isPresent()
                && now() - hold.since() > LONGEST
                && isInStep(daemon, hold.since())) {
            violated(
                    "%s starts to %s %s under a hold that began %s ago",
                    daemon, nameOf(call), call.pool(), seconds(now() - hold.since()));
        }
    }

    private void lockTaken(LockHistory.@Nullable Hold before, LockHistory.Hold now) {
        if (before == null || !before.holder().equals(now.holder()) || before.nanos() < LONG) {
            return;
        }
        if (before.until() == now.since()) {
            return; // a response was lost: the process acquires a lock that it did not know to hold
        }
        onlyOne(now.holder())
                .filter(daemon -> now.since() - before.until() < TURN && isInStep(daemon, before.since()))
                .ifPresent(daemon -> violated(
                        "%s held the resource lock for %s and took it again %s later",
                        daemon, seconds(before.nanos()), seconds(now.since() - before.until())));
    }

    private void put(SimulatedDaemon daemon, PoolKey pool) {
        LockHistory.Hold hold = scene().resourceLock().current();
        if (hold != null
                && hold.holder().equals(OtherController.NAME)
                && now() - hold.since() < ResourceLockIsHeld.leastOf(hold)
                && isInStep(daemon, hold.since())) {
            violated("%s starts to write %s while %s holds the resource lock", daemon, pool, OtherController.NAME);
        }
    }

    /** Another controller started to ask when faults stopped. */
    void check() {
        long since = scene().otherController().waitsSince();
        if (since >= 0) {
            violated("%s has waited for the resource lock for %s", OtherController.NAME, seconds(now() - since));
        }
    }
}
