package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** S7. */
final class RetryAfterIsKept extends Invariant {

    private record Request(Purpose purpose, PoolKey pool) {}

    /**
     * A wait that ARM asked for.
     *
     * @param until when it ends, by the process's own clock
     * @param since when it was asked for
     */
    private record Wait(Instant until, long since) {

        static final Wait NONE = new Wait(Instant.MIN, -1);

        Wait or(Wait other) {
            return other.until.isAfter(until) ? other : this;
        }
    }

    private static final class State {
        Wait reads = Wait.NONE;
        Wait writes = Wait.NONE;

        /** Until when each load balancer is busy. */
        final Map<ArmName, Wait> busy = new HashMap<>();

        /** From when the last request of each kind may be repeated inside its call. */
        final Map<Request, Wait> repeatable = new HashMap<>();

        final Map<PoolKey, Wait> parked = new HashMap<>();

        /** When the latest attempt at each pool began. */
        final Map<PoolKey, Long> attempts = new HashMap<>();
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();

    RetryAfterIsKept(Scene scene) {
        super(
                "S7 Retry-After",
                "After a 429 no request of its kind is sent before the instant that ARM named, by the process's own"
                    + " clock, nor a write to a busy load balancer, nor a request repeated that a 5xx delays, nor an"
                    + " operation polled, and a parked pool is not attempted, counted or reported before.",
                scene);
    }

    private State of(SimulatedDaemon daemon) {
        return states.computeIfAbsent(daemon, key -> new State());
    }

    /** A simulated clock may be a nanosecond behind the end of a wait, because it multiplies by its rate. */
    private static Instant clock(SimulatedDaemon daemon) {
        return daemon.clock().instant().plusNanos(1_000);
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Shut(SimulatedDaemon daemon, boolean writes, Instant until) -> shut(daemon, writes, until);
            case Observation.Busy(var daemon, var loadBalancer, var until) ->
                of(daemon).busy.merge(loadBalancer, new Wait(until, now()), Wait::or);
            case Observation.RepeatableFrom(var daemon, var purpose, var pool, var until) ->
                of(daemon).repeatable.put(new Request(purpose, pool), new Wait(until, now()));
            case Observation.Sent(var daemon, var purpose, var pool, int attempt) ->
                sent(daemon, purpose, pool, attempt);
            case Observation.Polled(var daemon, var operation, var until, long since) ->
                polled(daemon, operation, until, since);
            case Observation.Leads
                    leads -> { // each term starts with an empty queue, and forgets the calls of the last one
                of(leads.daemon()).parked.clear();
                of(leads.daemon()).attempts.clear();
            }
            case Observation.Published(SimulatedDaemon daemon, Fact fact) -> published(daemon, fact.pool(), fact);
            default -> {}
        }
    }

    private void published(SimulatedDaemon daemon, PoolKey pool, Fact fact) {
        switch (fact) {
            case Fact.CallBegins call -> begins(daemon, call);
            case Fact.CallEnded call -> {
                if (call.reply() instanceof Reply.Failed<BackendPool>(Failure.Throttled throttled)
                        && throttled.retryAfter() != null
                        && isStillOwed(daemon, pool, of(daemon).attempts.remove(pool))) {
                    of(daemon).parked.put(pool, new Wait(throttled.retryAfter(), now()));
                }
            }
            case Fact.GaveUp gaveUp -> of(daemon).parked.remove(pool); // it is not parked
            default -> {}
        }
    }

    private void begins(SimulatedDaemon daemon, Fact.CallBegins call) {
        PoolKey pool = call.pool();
        if (call instanceof Fact.Began) {
            of(daemon).attempts.put(pool, now());
        }
        Wait parking = of(daemon).parked.remove(pool);
        Instant clock = clock(daemon);
        if (parking != null
                && clock.isBefore(parking.until())
                && daemon.knowledge().usersSince(pool) < parking.since()) {
            violated("%s attempts %s at %s, which is parked until %s", daemon, pool, clock, parking.until());
        }
    }

    private void shut(SimulatedDaemon daemon, boolean writes, Instant until) {
        State state = of(daemon);
        Wait wait = new Wait(until, now());
        if (writes) {
            state.writes = state.writes.or(wait);
        } else {
            state.reads = state.reads.or(wait);
        }
    }

    private static Wait ofWrites(State state, @Nullable PoolKey pool) {
        return pool == null ? state.writes : state.writes.or(state.busy.getOrDefault(pool.loadBalancer(), Wait.NONE));
    }

    private void sent(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int attempt) {
        Wait wait = purpose == Purpose.WRITE ? ofWrites(of(daemon), pool) : of(daemon).reads;
        Instant clock = clock(daemon);
        Wait repetition = pool == null ? null : of(daemon).repeatable.remove(new Request(purpose, pool));
        if (repetition != null
                && attempt > 0
                && clock.isBefore(repetition.until())
                && !daemon.machine().wasOutOfStepSince(repetition.since())) {
            violated(
                    "%s repeats a %s of %s before %s, when ARM asked for it",
                    daemon, purpose, String.valueOf(pool), repetition.until());
        }
        // a poll that has waited as long as ARM asked may be sent, whatever its clocks showed meanwhile
        boolean hasWaited = purpose == Purpose.POLL && daemon.machine().wasOutOfStepSince(wait.since());
        if (clock.isBefore(wait.until()) && !hasWaited) {
            violated("%s sends a %s at %s, but ARM asked to wait until %s", daemon, purpose, clock, wait.until());
        }
    }

    private void polled(SimulatedDaemon daemon, String operation, Instant until, long since) {
        if (clock(daemon).isBefore(until) && !daemon.machine().wasOutOfStepSince(since)) {
            violated("%s polls %s at %s, but ARM asked to wait until %s", daemon, operation, clock(daemon), until);
        }
    }

    /** Not for a Service that has left the pool since: the next attempt is another one's. */
    private static boolean isStillOwed(SimulatedDaemon daemon, PoolKey pool, @Nullable Long began) {
        return began != null
                && daemon.knowledge().isUsed(pool)
                && daemon.knowledge().usersSince(pool) <= began;
    }
}
