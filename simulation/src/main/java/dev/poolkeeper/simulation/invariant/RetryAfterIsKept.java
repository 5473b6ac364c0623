package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** S7. */
final class RetryAfterIsKept extends Invariant {

    private record Request(Purpose purpose, PoolKey pool) {}

    private record Parking(Instant until, long since) {}

    private static final class State {
        Instant reads = Instant.MIN;
        Instant writes = Instant.MIN;

        /** Until when each load balancer is busy. */
        final Map<ArmName, Instant> busy = new HashMap<>();

        /** From when the last request of each kind may be repeated inside its call. */
        final Map<Request, Instant> repeatable = new HashMap<>();

        long named;
        final Map<PoolKey, Parking> parked = new HashMap<>();
        final Set<PoolKey> calls = new HashSet<>();
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();

    RetryAfterIsKept(Scene scene) {
        super(
                "S7 Retry-After",
                "After a 429 no request of its kind is sent before the instant that ARM named, by the process's own"
                        + " clock, nor a write to a busy load balancer, nor a request repeated that a 5xx delays, and a"
                        + " parked pool is not attempted, counted or reported before.",
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
    public void shut(SimulatedDaemon daemon, boolean writes, Instant until) {
        State state = of(daemon);
        state.named = now();
        if (writes) {
            state.writes = until.isAfter(state.writes) ? until : state.writes;
        } else {
            state.reads = until.isAfter(state.reads) ? until : state.reads;
        }
    }

    @Override
    public void busy(SimulatedDaemon daemon, ArmName loadBalancer, Instant until) {
        of(daemon).busy.merge(loadBalancer, until, (a, b) -> a.isAfter(b) ? a : b);
    }

    @Override
    public void repeatableFrom(SimulatedDaemon daemon, Purpose purpose, PoolKey pool, Instant until) {
        of(daemon).repeatable.put(new Request(purpose, pool), until);
        of(daemon).named = now();
    }

    private Instant writesUntil(State state, @Nullable PoolKey pool) {
        Instant busy = pool == null ? Instant.MIN : state.busy.getOrDefault(pool.loadBalancer(), Instant.MIN);
        return busy.isAfter(state.writes) ? busy : state.writes;
    }

    @Override
    public void sent(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int attempt) {
        Instant until = purpose == Purpose.WRITE ? writesUntil(of(daemon), pool) : of(daemon).reads;
        Instant clock = clock(daemon);
        Instant repeatable = pool == null ? null : of(daemon).repeatable.remove(new Request(purpose, pool));
        if (repeatable != null
                && attempt > 0
                && clock.isBefore(repeatable)
                && !daemon.machine().wasOutOfStepSince(of(daemon).named)) {
            violated(
                    "%s repeats a %s of %s before %s, when ARM asked for it",
                    daemon, purpose, String.valueOf(pool), repeatable);
        }
        // a poll that has waited as long as ARM asked may be sent, whatever its clocks showed meanwhile
        boolean hasWaited = purpose == Purpose.POLL && daemon.machine().wasOutOfStepSince(of(daemon).named);
        if (clock.isBefore(until) && !hasWaited) {
            violated("%s sends a %s at %s, but ARM asked to wait until %s", daemon, purpose, clock, until);
        }
    }

    @Override
    public void leads(SimulatedDaemon daemon, boolean now) {
        of(daemon).parked.clear(); // each term starts with an empty queue, and forgets the calls of the last one
        of(daemon).calls.clear();
    }

    @Override
    public void callEnds(SimulatedDaemon daemon, boolean write, PoolKey pool, Reply<BackendPool> reply) {
        if (reply instanceof Reply.Failed<BackendPool>(Failure.Throttled throttled)
                && throttled.retryAfter() != null
                && of(daemon).calls.remove(pool)
                && daemon.knowledge().isUsed(pool)) {
            of(daemon).parked.put(pool, new Parking(throttled.retryAfter(), now()));
        }
    }

    @Override
    public void event(SimulatedDaemon daemon, ServiceEvent event) {
        if (event.reason() == ServiceEvent.Reason.FAILED) {
            of(daemon).parked.remove(event.pool()); // a failed update is not parked
        }
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        of(daemon).calls.add(pool);
        Parking parking = of(daemon).parked.remove(pool);
        Instant clock = clock(daemon);
        if (parking != null
                && clock.isBefore(parking.until())
                && daemon.knowledge().usersSince(pool) < parking.since()) {
            violated("%s attempts %s at %s, which is parked until %s", daemon, pool, clock, parking.until());
        }
    }
}
