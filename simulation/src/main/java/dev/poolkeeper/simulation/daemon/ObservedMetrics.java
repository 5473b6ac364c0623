package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.UpdaterMetrics;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.daemon.Witness.Count;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reports the engine's counts to the witness, then to the daemon's own metrics. */
final class ObservedMetrics implements UpdaterMetrics {

    private final UpdaterMetrics metrics;
    private final SimulatedDaemon daemon;
    private final Witness witness;

    ObservedMetrics(UpdaterMetrics metrics, SimulatedDaemon daemon, Witness witness) {
        this.metrics = metrics;
        this.daemon = daemon;
        this.witness = witness;
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

    @Override
    public Update started(PoolKey pool) {
        Update update = metrics.started(pool);
        return new Update() {
            @Override
            public @Nullable Object trace() {
                return update.trace();
            }

            @Override
            public void writing(AddressSet held, AddressSet planned) {
                update.writing(held, planned);
            }

            @Override
            public void callFailed(Failure failure) {
                update.callFailed(failure);
            }

            @Override
            public void succeeded() {
                count(Count.SUCCEEDED, pool);
                update.succeeded();
            }

            @Override
            public void failed() {
                count(Count.FAILED, pool);
                update.failed();
            }

            @Override
            public void retried(Failure cause) {
                count(Count.RETRIED, pool);
                update.retried(cause);
            }

            @Override
            public void ended() {
                update.ended();
            }
        };
    }

    @Override
    public void retryRefused(PoolKey pool) {
        count(Count.REFUSED, pool);
        metrics.retryRefused(pool);
    }

    @Override
    public void changeWritten(PoolKey pool, Duration took) {
        metrics.changeWritten(pool, took);
    }
}
