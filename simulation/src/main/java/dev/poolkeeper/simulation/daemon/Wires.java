package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.UpdaterMetrics;
import dev.poolkeeper.simulation.arm.ArmLink;
import dev.poolkeeper.simulation.arm.ArmLink.Purpose;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Everything that leaves a daemon, on its way to the witness. A dead process says nothing. */
final class Wires implements ArmLink.Wire {

    private final SimulatedDaemon daemon;
    private final Witness witness;

    Wires(SimulatedDaemon daemon, Witness witness) {
        this.daemon = daemon;
        this.witness = witness;
    }

    @Override
    public void sent(Purpose purpose, @Nullable PoolKey pool, int attempt) {
        witness.sent(daemon, purpose, pool, attempt);
    }

    @Override
    public void answered(Purpose purpose, @Nullable PoolKey pool, int status) {
        witness.answered(daemon, purpose, pool, status);
    }

    @Override
    public void shut(boolean writes, Instant until) {
        witness.shut(daemon, writes, until);
    }

    @Override
    public void put(PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        witness.put(daemon, read, wanted, ifMatch);
    }

    @Override
    public void listed(List<PoolKey> pools) {
        daemon.knowledge().located(pools);
    }

    @Override
    public void writeOver(PoolKey pool) {
        witness.writeOver(daemon, pool);
    }

    void event(ServiceEvent event) {
        daemon.process().requireAlive();
        witness.event(daemon, event);
        if (daemon.has(Flaw.COUNTS_TWICE)) {
            witness.event(daemon, event);
        }
    }

    void deposited() {
        witness.deposited(daemon);
    }

    void withdrew(boolean admitted) {
        witness.withdrew(daemon, admitted);
    }

    RetryBudget observed(RetryBudget budget) {
        return new RetryBudget() {
            @Override
            public InProgress deposit() {
                deposited();
                return budget.deposit();
            }

            @Override
            public Optional<InProgress> tryWithdraw() {
                Optional<InProgress> admitted = budget.tryWithdraw();
                withdrew(admitted.isPresent());
                return admitted;
            }

            @Override
            public OptionalLong balance() {
                return budget.balance();
            }
        };
    }

    private void count(Witness.Count count, PoolKey pool) {
        daemon.process().requireAlive();
        witness.counted(daemon, count, pool);
        if (daemon.has(Flaw.COUNTS_TWICE)) {
            witness.counted(daemon, count, pool);
        }
    }

    UpdaterMetrics metrics() {
        return new UpdaterMetrics() {
            @Override
            public Update started(PoolKey pool) {
                return new Update() {
                    @Override
                    public void succeeded() {
                        count(Witness.Count.SUCCEEDED, pool);
                    }

                    @Override
                    public void failed() {
                        count(Witness.Count.FAILED, pool);
                    }

                    @Override
                    public void retried(Failure cause) {
                        count(Witness.Count.RETRIED, pool);
                    }
                };
            }

            @Override
            public void retryRefused(PoolKey pool) {
                count(Witness.Count.REFUSED, pool);
            }
        };
    }
}
