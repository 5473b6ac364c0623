package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** S20. Based on the responses as ARM sent them, and on the process's own clock. */
final class ForbiddenIsLeftAlone extends Invariant {

    /** The waits of simulated daemons. */
    private static final long FIRST = 10 * Timeline.SECONDS;

    private static final int MOST_DOUBLINGS = 2;
    private static final int FORBIDDEN = 403;

    private record Call(SimulatedDaemon daemon, PoolKey pool) {}

    /**
     * Refused writes in a row.
     *
     * @param times how many, without one that went well or a refused read among them
     * @param at when the last one was answered, by the process's clock
     * @param answered the same in true time
     */
    private record Refusals(int times, long at, long answered) {

        long until() {
            return at + (FIRST << Math.min(times - 1, MOST_DOUBLINGS));
        }
    }

    private final Map<Call, Refusals> refused = new HashMap<>();

    /** Calls that began in the present term: responses to earlier ones do not count. */
    private final Set<Call> calls = new HashSet<>();

    ForbiddenIsLeftAlone(Scene scene) {
        super(
                "S20 forbidden",
                "After ARM answered a write with 403, no call for its pool starts for 10 s, for 20 s after the second"
                        + " time in a row, then for 40 s; a read that went well does not make that shorter, a listing"
                        + " without the pool ends it.",
                scene);
    }

    private static long clock(SimulatedDaemon daemon) {
        return daemon.machine().clock().nanoTime();
    }

    /** Null if the last write was not refused, or a listing has lacked the pool since: the process forgets it then. */
    private @Nullable Refusals of(Call call) {
        Refusals last = refused.get(call);
        return last == null || call.daemon().seen().lastMissing(call.pool()) > last.answered() ? null : last;
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Published(SimulatedDaemon daemon, Fact.CallBegins call) -> begins(daemon, call);
            case Observation.Published(SimulatedDaemon daemon, Fact.WriteEnded written)
            when written.reply() instanceof Reply.Ok<BackendPool> -> refused.remove(new Call(daemon, written.pool()));
            case Observation.Answered(var daemon, var purpose, var pool, int status)
            when pool != null && status == FORBIDDEN -> forbidden(new Call(daemon, pool), purpose);
            case Observation.Leads leads -> {
                refused.keySet().removeIf(place -> place.daemon().equals(leads.daemon()));
                calls.removeIf(call -> call.daemon().equals(leads.daemon()));
            }
            default -> {}
        }
    }

    private void forbidden(Call place, Purpose purpose) {
        if (purpose == Purpose.WRITE
                && calls.contains(place)
                && place.daemon().seen().isListed(place.pool())) {
            Refusals before = of(place);
            refused.put(place, new Refusals(before == null ? 1 : before.times() + 1, clock(place.daemon()), now()));
        } else if (purpose != Purpose.WRITE) {
            refused.remove(place); // what follows a refused read ends with a read
        }
    }

    private void begins(SimulatedDaemon daemon, Fact.CallBegins call) {
        calls.add(new Call(daemon, call.pool()));
        Refusals last = of(new Call(daemon, call.pool()));
        if (last != null && clock(daemon) < last.until()) {
            violated(
                    "%s starts to %s %s %s after ARM refused %d writes in a row",
                    daemon, nameOf(call), call.pool(), seconds(clock(daemon) - last.at()), last.times());
        }
    }
}
