package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

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
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Published(SimulatedDaemon daemon, Fact fact) ->
                published(new Place(daemon, fact.pool()), fact);
            case Observation.Put put ->
                put(put.daemon(), put.read().key(), put.wanted().addresses());
            case Observation.Written written -> written(written.after());
            case Observation.PolledAgain(SimulatedDaemon daemon, String operation) ->
                violated("%s polls the operation %s although ARM has reported its end", daemon, operation);
            case Observation.Answered(var daemon, var purpose, var pool, int status)
            when pool != null -> lastStatus.put(new Place(daemon, pool), status);
            default -> {}
        }
    }

    private void published(Place place, Fact fact) {
        switch (fact) {
            case Fact.Began began -> sent.remove(place);
            case Fact.Updated updated -> succeeded(place);
            case Fact.GaveUp gaveUp -> gaveUp(place, gaveUp);
            default -> {}
        }
    }

    private void put(SimulatedDaemon daemon, PoolKey pool, AddressSet wanted) {
        Set<AddressSet> held = new HashSet<>();
        held.add(scene().arm().held(pool));
        sent.put(new Place(daemon, pool), new Sent(wanted, held));
    }

    private void written(PoolImage after) {
        sent.forEach((place, one) -> {
            if (place.pool().equals(after.key())) {
                one.held().add(after.addresses());
            }
        });
    }

    private void succeeded(Place place) {
        Sent one = sent.get(place);
        if (one != null && !one.held().contains(one.written())) {
            violated(
                    "%s counts its write of %s into %s as a success; since it was sent the pool held %s",
                    place.daemon(), one.written(), place.pool(), one.held());
        }
        if (one != null
                && scene().arm().isUpdatingFor(place.pool(), place.daemon().name())) {
            violated("%s counts its write of %s as a success, but ARM has not ended it", place.daemon(), place.pool());
        }
    }

    private void gaveUp(Place place, Fact.GaveUp gaveUp) {
        int status = lastStatus.getOrDefault(place, 200);
        boolean mayGoOn = status == 0 || status == BUSY;
        boolean isEarly = gaveUp.tried().stream().anyMatch(tried -> tried.number() < gaveUp.bound());
        if (isEarly && mayGoOn) {
            violated(
                    "%s gives up %s although its last request was answered with %d",
                    place.daemon(), place.pool(), status);
        }
    }
}
