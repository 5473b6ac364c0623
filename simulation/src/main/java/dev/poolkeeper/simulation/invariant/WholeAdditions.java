package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** S12. */
final class WholeAdditions extends Invariant {

    private final Map<SimulatedDaemon, Map<PoolKey, Long>> readBegan = new HashMap<>();

    WholeAdditions(Scene scene) {
        super(
                "S12 whole additions",
                "A write to a pool of one Service adds every address that the process knew to be wanted since before"
                        + " the read: no guard holds an addition.",
                scene);
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        if (!write) {
            readBegan.computeIfAbsent(daemon, key -> new HashMap<>()).put(pool, now());
        }
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        PoolKey pool = read.key();
        Knowledge knowledge = daemon.knowledge();
        long began = readBegan.getOrDefault(daemon, Map.of()).getOrDefault(pool, 0L);
        if (!knowledge.isOfOneService(pool) || !knowledge.isComplete(pool) || knowledge.usersSince(pool) >= began) {
            return;
        }
        AddressSet all = knowledge.wantedIn(pool);
        for (IpAddress address : all.minus(wanted.addresses())) {
            if (knowledge.wantedSince(pool, address) < began) {
                violated(
                        "%s writes %s into %s without %s, which it knows to be wanted since %s",
                        daemon, wanted.addresses(), pool, address, seconds(knowledge.wantedSince(pool, address)));
            }
        }
    }
}
