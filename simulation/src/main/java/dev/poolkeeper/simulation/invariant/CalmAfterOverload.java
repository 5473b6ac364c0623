package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import org.jspecify.annotations.Nullable;

/** L5: no overload sustains itself. */
final class CalmAfterOverload extends Invariant {

    private static final int FLOOR = 30;

    private long firsts;
    private long retries;
    private boolean calm;

    CalmAfterOverload(Scene scene) {
        super(
                "L5 no metastability",
                "Over a whole run retries are at most a fifth of all requests beyond the floor of six a minute and"
                        + " process, and once faults have stopped for 165 s nothing is retried any"
                        + " more.",
                scene);
    }

    void demandCalm(boolean now) {
        calm = now;
    }

    @Override
    public void deposited(SimulatedDaemon daemon) {
        firsts++;
    }

    @Override
    public void withdrew(SimulatedDaemon daemon, boolean admitted) {
        if (admitted) {
            retries++;
        }
    }

    @Override
    public void sent(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int attempt) {
        if (calm && attempt > 0) {
            violated("%s still sends a %s (attempt %d) of %s", daemon, purpose, attempt + 1, String.valueOf(pool));
        }
    }

    /** Called when faults have stopped. */
    void weigh(int processes, long minutes) {
        long most = firsts / 4 + 6 * minutes * processes + FLOOR;
        if (retries > most) {
            violated("%d retries for %d first attempts, which admit %d", retries, firsts, most);
        }
    }
}
