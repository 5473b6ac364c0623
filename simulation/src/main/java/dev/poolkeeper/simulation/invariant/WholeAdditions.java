package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.plan.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import org.jspecify.annotations.Nullable;

/** S12. */
final class WholeAdditions extends Invariant {

    private final LastReads reads = new LastReads();

    WholeAdditions(Scene scene) {
        super(
                "S12 whole additions",
                "A write to a pool of one Service adds every address that the process has known to be wanted since"
                        + " before the read: no guard holds an addition.",
                scene);
    }

    /** The model diff applies the queued changes only; others follow, or are lost if their retries are exhausted. */
    @Override
    public boolean isAskedOf(UpdateModel model) {
        return model == UpdateModel.DESIRED_STATE;
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        if (!write) {
            reads.begins(daemon, pool, now());
        }
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        PoolKey pool = read.key();
        Knowledge knowledge = daemon.knowledge();
        long began = reads.of(daemon, pool);
        if (!knowledge.isOfOneService(pool) || !knowledge.isComplete(pool) || knowledge.usersSince(pool) >= began) {
            return;
        }
        AddressSet all = knowledge.wantedIn(pool);
        for (IpAddress address : all.minus(wanted.addresses())) {
            if (knowledge.wantedSince(pool, address) < began) {
                violated(
                        "%s writes %s into %s without %s, which it knows to have been wanted since %s",
                        daemon, wanted.addresses(), pool, address, seconds(knowledge.wantedSince(pool, address)));
            }
        }
    }
}
