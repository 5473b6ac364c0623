package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.daemon.Witness.Count;
import java.util.function.Consumer;

/** Tells the witness what the daemon counts. */
final class ObservedCounts implements Consumer<Fact> {

    private final SimulatedDaemon daemon;
    private final Witness witness;

    ObservedCounts(SimulatedDaemon daemon, Witness witness) {
        this.daemon = daemon;
        this.witness = witness;
    }

    @Override
    public void accept(Fact fact) {
        switch (fact) {
            case Fact.Updated updated -> count(Count.SUCCEEDED, fact.pool());
            case Fact.GaveUp gaveUp -> count(Count.FAILED, fact.pool());
            case Fact.Retrying retrying -> count(Count.RETRIED, fact.pool());
            case Fact.RetryRefused refused -> count(Count.REFUSED, fact.pool());
            default -> {}
        }
    }

    private void count(Count count, PoolKey pool) {
        if (count == Count.SUCCEEDED && daemon.has(Flaw.FORGETS_SUCCESSES)) {
            return;
        }
        witness.counted(daemon, count, pool);
        if (daemon.has(Flaw.COUNTS_TWICE)) {
            witness.counted(daemon, count, pool);
        }
    }
}
