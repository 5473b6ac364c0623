package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** S14. */
final class TrueSuccess extends Invariant {

    private record Place(SimulatedDaemon daemon, PoolKey pool) {}

    /**
     * A write that was sent.
     *
     * @param written the content it was to write
     * @param held the contents of the pool since
     */
    private record Sent(AddressSet written, Set<AddressSet> held) {}

    private final Map<Place, Sent> sent = new HashMap<>();

    TrueSuccess(Scene scene) {
        super(
                "S14 true success",
                "A write counts as a success only if the pool has held what was written at some instant since it was"
                        + " sent.",
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
    }
}
