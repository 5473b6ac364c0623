package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;

/** L5: no overload sustains itself. */
final class CalmAfterOverload extends Invariant {

    private static final int FLOOR = 30;

    private long firsts;
    private long retries;
    private boolean calm;

    CalmAfterOverload(Scene scene) {
        super(
                "L5 no metastability",
                "Over a whole run retries are at most a quarter of the first attempts beyond the floor of"
                        + " six a minute and process, and once faults have stopped for 165 s nothing is retried any"
                        + " more.",
                scene);
    }

    void demandCalm(boolean now) {
        calm = now;
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Deposited deposited -> firsts++;
            case Observation.Withdrew withdrew -> retries += withdrew.admitted() ? 1 : 0;
            case Observation.Published(SimulatedDaemon daemon, Fact.Began began) -> {
                firsts += began.isRetry() ? 0 : 1;
                retries += began.isRetry() ? 1 : 0;
            }
            case Observation.Sent(var daemon, var purpose, var pool, int attempt)
            when calm && attempt > 0 ->
                violated("%s still sends a %s (attempt %d) of %s", daemon, purpose, attempt + 1, String.valueOf(pool));
            default -> {}
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
