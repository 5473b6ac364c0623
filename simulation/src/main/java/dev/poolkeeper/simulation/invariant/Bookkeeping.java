package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** S10. */
final class Bookkeeping extends Invariant {

    private record Place(SimulatedDaemon daemon, PoolKey pool) {}

    private record Told(ServiceName service, ServiceEvent.Reason reason) {}

    private static final class Attempt {
        final Set<Count> counts = EnumSet.noneOf(Count.class);
        final Set<Told> told = new HashSet<>();
    }

    private final Map<Place, Attempt> attempts = new HashMap<>();

    Bookkeeping(Scene scene) {
        super(
                "S10 bookkeeping",
                "An attempt is counted at most once per outcome and emits each reason at most once per Service, and"
                        + " every reported outcome was counted.",
                scene);
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        if (write) {
            return;
        }
        attempts.put(new Place(daemon, pool), new Attempt());
    }

    @Override
    public void counted(SimulatedDaemon daemon, Count count, PoolKey pool) {
        if (count == Count.REFUSED) {
            return;
        }
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
        } else if (!attempt.told.add(new Told(event.service(), event.reason()))) {
            violated("%s emits for %s %s twice after one attempt", daemon, event.service(), event.reason());
        }
    }
}
