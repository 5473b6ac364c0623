package dev.poolkeeper.core.tick;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.operation.Operation.Replace;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.schedules.Schedules;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Lincheck tries the moments of a tick at which another thread shuts the updater down. */
class ShutdownLincheckTest {

    private static ModelCheckingOptions options() {
        return Schedules.options()
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(1)
                .invocationsPerIteration(600);
    }

    @Test
    @Rule(
            id = "X4",
            says = "When shutdownNow has returned no call starts that nobody interrupts, and nothing is told.",
            source = "design document, Cancellation And Shutdown")
    void after_shutdown_now_no_call_starts_that_nobody_interrupts() {
        options().check(Watched.class);
    }

    @Test
    void a_shutdown_that_forgets_the_calls_is_found() {
        assertThatThrownBy(() -> options().check(CallsForgotten.class)).isInstanceOf(LincheckAssertionError.class);
    }

    /** An updater with one operation, in a world that only watches. */
    public static class Watched implements BackendPools, ResourceLock, ResourceLock.Hold, ServiceEvents, LocalServices {

        private static final ServiceName WEB = new ServiceName("shop", "web");
        private static final PoolKey POOL = PoolKey.of("lb", "shop-web");

        private final OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
        final BackendPoolUpdater updater = new BackendPoolUpdater(
                new UpdaterSettings(3),
                queue,
                this,
                new UpdaterPorts(this, this, this),
                new ReentrantLock(),
                Watched::now);
        volatile boolean stopped;
        private volatile String violation = "";

        private static Instant now() {
            return Instant.EPOCH;
        }

        public Watched() {
            queue.add(new Replace(WEB, POOL, AddressSet.of("10.0.0.4")));
        }

        @Operation(nonParallelGroup = "tick")
        public final void tick() {
            updater.process();
        }

        @Operation(nonParallelGroup = "stop")
        public final void stop() {
            shutDown();
            stopped = true;
        }

        void shutDown() {
            updater.shutdownNow();
        }

        @Validate
        public void no_call_started_that_nobody_interrupts() {
            if (!violation.isEmpty()) {
                throw new AssertionError(violation);
            }
        }

        private <T> Reply<T> call() {
            boolean late = stopped;
            if (Thread.currentThread().isInterrupted()) {
                return Reply.failed(new Failure.Cancelled("interrupted"));
            }
            if (late) {
                violation = "a call started after shutdown, and nobody interrupts it";
            }
            return Reply.failed(Failure.Other.terminal("not today"));
        }

        @Override
        public Reply<BackendPool> read(PoolKey pool) {
            return call();
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
            return call();
        }

        @Override
        public Optional<Hold> tryAcquire() {
            return Optional.of(this);
        }

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public void close() {}

        @Override
        public void emit(ServiceEvent event) {}

        @Override
        public boolean isLocal(ServiceName service, PoolKey pool) {
            return true;
        }
    }

    /** The planted fault. */
    public static final class CallsForgotten extends Watched {
        @Override
        void shutDown() {
            updater.shutdown();
        }
    }
}
