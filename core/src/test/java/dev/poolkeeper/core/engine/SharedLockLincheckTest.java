package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.core.schedules.Schedules;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Term;
import java.time.Instant;
import java.util.Optional;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Lincheck explores the interleavings of two lanes that join the hold and leave it. */
class SharedLockLincheckTest {

    /** A thread that waits for a {@code ReentrantLock} gives way sooner than our loops need. */
    private static ModelCheckingOptions options() {
        return Schedules.oneCallEach()
                .iterations(1)
                .invocationsPerIteration(600)
                .loopIterationsBeforeThreadSwitch(10);
    }

    @Test
    void the_lock_is_held_while_a_lane_has_joined_and_free_afterwards() {
        options().check(Joined.class);
    }

    @Test
    void a_lane_that_uses_the_hold_without_joining_is_detected() {
        assertThatThrownBy(() -> options().check(NotJoined.class)).isInstanceOf(LincheckAssertionError.class);
    }

    /** A lock that no other writer takes; notes what must not happen. */
    static final class Watched implements ResourceLock, ResourceLock.Hold, Runnable {

        volatile boolean held;
        volatile String violation = "";

        @Override
        public Optional<Hold> tryAcquire() {
            if (held) {
                violation = "acquired twice";
            }
            held = true;
            return Optional.of(this);
        }

        @Override
        public boolean isHeld() {
            return held;
        }

        @Override
        public void close() {
            if (!held) {
                violation = "released twice";
            }
            held = false;
        }

        void call() {
            if (!held) {
                violation = "a call without the lock";
            }
        }

        @Override
        public void run() {
            violation = "a lane was refused";
        }
    }

    public static class Joined {

        final Watched lock = new Watched();
        final SharedLock hold = new SharedLock(lock, Term.untilEnded(), () -> Instant.EPOCH);

        @Operation
        public void update() {
            if (hold.join(lock)) {
                lock.call();
                hold.leave();
            }
        }

        @Validate
        public final void nothing_forbidden_happened() {
            if (!lock.violation.isEmpty() || lock.held || hold.isOurs()) {
                throw new IllegalStateException(lock.violation);
            }
        }
    }

    /** The planted fault: the other lane may release what this one uses. */
    public static final class NotJoined extends Joined {
        @Override
        @Operation
        public void update() {
            if (hold.mayStart()) {
                lock.call();
            } else {
                super.update();
            }
        }
    }
}
