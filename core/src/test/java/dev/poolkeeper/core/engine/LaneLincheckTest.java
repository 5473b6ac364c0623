package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.core.schedules.Schedules;
import dev.poolkeeper.ports.PoolKey;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Lincheck explores the interleavings of two threads that list a pool and start the lane. */
class LaneLincheckTest {

    @Test
    void what_is_listed_is_served_by_one_thread_at_a_time() {
        Schedules.oneCallEach().check(Started.class);
    }

    @Test
    void a_start_that_passes_over_a_busy_lane_is_detected() {
        assertThatThrownBy(() -> Schedules.oneCallEach().iterations(20).check(PassedOver.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    public static class Started {

        final Lane lane = new Lane(null, new ReentrantLock());
        private volatile boolean running;
        private volatile boolean overlapped;

        @Operation
        public final void first() {
            start("first");
        }

        @Operation
        public final void second() {
            start("second");
        }

        private void start(String pool) {
            lane.list(PoolKey.of("lb", pool));
            if (tryStart()) {
                do {
                    serve();
                } while (!lane.releaseUnlessRequested());
            }
        }

        boolean tryStart() {
            return lane.tryStart();
        }

        private void serve() {
            overlapped |= running;
            running = true;
            Optional<PoolKey> next = lane.takeListed();
            while (next.isPresent()) {
                next = lane.takeListed();
            }
            running = false;
        }

        @Validate
        public final void all_was_served() {
            if (overlapped || lane.isBusy() || lane.takeListed().isPresent()) {
                throw new IllegalStateException("overlapped or left");
            }
        }
    }

    /** The planted fault: a busy lane does not learn that there is more. */
    public static final class PassedOver extends Started {
        @Override
        boolean tryStart() {
            return !lane.isBusy() && lane.tryStart();
        }
    }
}
