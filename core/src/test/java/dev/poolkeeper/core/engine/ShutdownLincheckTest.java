package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.schedules.Schedules;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Lincheck explores the moments of a tick at which another thread shuts the engine down. */
class ShutdownLincheckTest {

    private static ModelCheckingOptions options() {
        return Schedules.oneCallEach().iterations(1).invocationsPerIteration(600);
    }

    @Test
    @Rule(
            id = "X4",
            says = "After shutdownNow has returned no call starts that is not interrupted; a call that was interrupted"
                    + " is not reported.",
            source = "design document, Cancellation And Shutdown")
    void after_shutdown_now_no_call_runs_uninterrupted_or_is_reported() {
        options().check(Watched.class);
    }

    @Test
    void a_shutdown_that_forgets_the_calls_is_detected() {
        assertThatThrownBy(() -> options().check(CallsForgotten.class)).isInstanceOf(LincheckAssertionError.class);
    }

    /** An engine with one update, in an environment that only observes. */
    public static class Watched implements BackendPools, PoolDirectory, ServiceEvents, ClusterView, Time {

        private static final ServiceName WEB = new ServiceName("shop", "web");
        private static final PoolKey POOL = PoolKey.of("lb", "shop-web");
        private static final AddressSet WANTED = AddressSet.of("10.0.0.4");

        final Engine engine = Engine.builder(this, this, this, this)
                .hasSynced(() -> true)
                .settings(EngineSettings.REFERENCE)
                .events(this)
                .build();
        volatile boolean stopped;
        private volatile boolean interrupted;
        private volatile String violation = "";

        public Watched() {
            engine.startLeading(Term.untilEnded());
            engine.listIfDue();
        }

        @Operation(nonParallelGroup = "tick")
        public final void tick() {
            Ticks.of(engine).join();
        }

        @Operation(nonParallelGroup = "stop")
        public final void stop() {
            shutDown();
            stopped = true;
        }

        void shutDown() {
            engine.shutdownNow();
        }

        @Validate
        public void there_was_no_violation() {
            if (!violation.isEmpty()) {
                throw new AssertionError(violation);
            }
        }

        private <T> Reply<T> call() {
            boolean late = stopped;
            if (Thread.currentThread().isInterrupted()) {
                interrupted = true;
                return Reply.failed(new Failure.Cancelled("interrupted"));
            }
            if (late) {
                violation = "a call started after shutdown, and is not interrupted";
            }
            return Reply.failed(Failure.Other.terminal("not today"));
        }

        @Override
        public void emit(ServiceEvent event) {
            if (interrupted) {
                violation = "a call that was interrupted is reported";
            }
        }

        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            return call();
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            return call();
        }

        @Override
        public Reply<List<BackendPool>> list() {
            return Reply.ok(List.of(new BackendPool(POOL, AddressSet.empty(), null, null)));
        }

        @Override
        public void listen(ClusterChanges listener) {
            listener.wants(null, new Want(WEB, POOL, WANTED, true, true, true, false));
        }

        @Override
        public void locate(Collection<PoolKey> pools) {}

        @Override
        public Instant instant() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public double draw() {
            return 0;
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void sleep(Duration duration) {
            throw new UnsupportedOperationException();
        }
    }

    /** The planted fault. */
    public static final class CallsForgotten extends Watched {
        @Override
        void shutDown() {
            engine.shutdown();
        }
    }
}
