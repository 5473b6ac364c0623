package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvent.Cause.Attempt;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** S14. */
final class TrueOutcome extends Invariant {

    private record Place(SimulatedDaemon daemon, PoolKey pool) {}

    /**
     * A write that was sent.
     *
     * @param written the content it was to write
     * @param held the contents of the pool since
     */
    private record Sent(AddressSet written, Set<AddressSet> held) {}

    private final Map<Place, Sent> sent = new HashMap<>();

    /** The status of the last response to a request for a pool; 0 for none. */
    private final Map<Place, Integer> lastStatus = new HashMap<>();

    /** ARM sends it, too, if another operation is in progress; the simulation for no other reason. */
    private static final int BUSY = 400;

    TrueOutcome(Scene scene) {
        super(
                "S14 true outcome",
                "A write counts as a success only if ARM has ended it and the pool has held what was written at some"
                        + " instant since it was sent. An operation is not polled after ARM has reported its end, and"
                        + " no update is given up at once because of a missing response or another operation.",
                scene);
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        if (!write) {
            sent.remove(new Place(daemon, pool));
        }
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        Set<AddressSet> held = new HashSet<>();
        held.add(scene().arm().held(read.key()));
        sent.put(new Place(daemon, read.key()), new Sent(wanted.addresses(), held));
    }

    @Override
    public void written(PoolImage before, PoolImage after, String writer) {
        sent.forEach((place, one) -> {
            if (place.pool().equals(after.key())) {
                one.held().add(after.addresses());
            }
        });
    }

    @Override
    public void counted(SimulatedDaemon daemon, Count count, PoolKey pool) {
        Sent one = sent.get(new Place(daemon, pool));
        if (count == Count.SUCCEEDED && one != null && !one.held().contains(one.written())) {
            violated(
                    "%s counts its write of %s into %s as a success; since it was sent the pool held %s",
                    daemon, one.written(), pool, one.held());
        }
        if (count == Count.SUCCEEDED && one != null && scene().arm().isUpdatingFor(pool, daemon.name())) {
            violated("%s counts its write of %s as a success, but ARM has not ended it", daemon, pool);
        }
    }

    @Override
    public void polledAgain(SimulatedDaemon daemon, String operation) {
        violated("%s polls the operation %s although ARM has reported its end", daemon, operation);
    }

    @Override
    public void answered(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int status) {
        if (pool != null) {
            lastStatus.put(new Place(daemon, pool), status);
        }
    }

    @Override
    public void event(SimulatedDaemon daemon, ServiceEvent event) {
        int status = lastStatus.getOrDefault(new Place(daemon, event.pool()), 200);
        boolean mayGoOn = status == 0 || status == BUSY;
        boolean isGivenUpEarly = event.reason() == ServiceEvent.Reason.FAILED
                && event.cause() instanceof Attempt attempt
                && attempt.number() < attempt.bound();
        if (isGivenUpEarly && mayGoOn) {
            violated("%s gives up %s although its last request was answered with %d", daemon, event.pool(), status);
        }
    }
}
