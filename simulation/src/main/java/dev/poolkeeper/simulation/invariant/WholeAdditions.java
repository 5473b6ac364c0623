package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.Map;

/** S12. */
final class WholeAdditions extends Invariant {

    private record Place(SimulatedDaemon daemon, PoolKey pool) {}

    private final Map<Place, Long> givenUp = new HashMap<>();
    private final Map<PoolKey, Long> changed = new HashMap<>();

    WholeAdditions(Scene scene) {
        super(
                "S12 whole additions",
                "A write to a pool adds every address that the process has known to be wanted since before the read,"
                        + " by whichever Service of the pool that is not paused: no guard, unknown node or pause of"
                        + " another Service holds an addition.",
                scene);
    }

    /** The model diff applies the queued changes only; others follow, or are lost if their retries are exhausted. */
    @Override
    public boolean isAskedOf(UpdateModel model) {
        return model == UpdateModel.DESIRED_STATE;
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Published(SimulatedDaemon daemon, Fact fact) -> published(daemon, fact.pool(), fact);
            case Observation.Written written -> changed.put(written.after().key(), now());
            case Observation.Put put -> put(put.daemon(), put.read(), put.wanted());
            default -> {}
        }
    }

    private void published(SimulatedDaemon daemon, PoolKey pool, Fact fact) {
        switch (fact) {
            case Fact.CallEnded ended when isGone(ended.reply()) -> givenUp.put(new Place(daemon, pool), now());
            case Fact.GaveUp gaveUp -> givenUp.put(new Place(daemon, pool), now());
            default -> {}
        }
    }

    /**
     * Until the next comparison, the update of one Service adds nothing for another one whose update was given up, or
     * that another writer has undone.
     */
    private long givenUp(SimulatedDaemon daemon, PoolKey pool) {
        return daemon.knowledge().isOfOneService(pool)
                ? -1
                : Math.max(givenUp.getOrDefault(new Place(daemon, pool), -1L), changed.getOrDefault(pool, -1L));
    }

    private void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted) {
        PoolKey pool = read.key();
        Knowledge knowledge = daemon.knowledge();
        long began = daemon.calls().lastRead(pool);
        if (Math.max(knowledge.usersSince(pool), knowledge.lastResumed(pool)) >= began) {
            return;
        }
        AddressSet all = knowledge.activelyWantedIn(pool);
        for (IpAddress address : all.minus(wanted.addresses())) {
            long since = knowledge.activelyWantedSince(pool, address);
            if (since < began && since > givenUp(daemon, pool)) {
                violated(
                        "%s writes %s into %s without %s, which it knows to have been wanted since %s",
                        daemon, wanted.addresses(), pool, address, seconds(since));
            }
        }
    }
}
