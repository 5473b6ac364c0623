package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Detects a watch that has been silent for too long, by the monotonic clock. Used under the lock of its owner, which is
 * also held for the report.
 */
final class SilenceCheck {

    private final Time time;
    private final Duration longest;
    private final Executor locked;
    private Time.Cancellable next = () -> {};
    /** Counts starts and stops, so that a check from before the last one is ignored. */
    private long turn;

    private long signNanos;
    private @Nullable Instant lastSign;

    /** @param locked runs a task at once, holding the owner's lock */
    SilenceCheck(Time time, Duration longest, Executor locked) {
        this.time = time;
        this.longest = longest;
        this.locked = locked;
    }

    /** Records a sign of life. */
    void sign() {
        signNanos = time.nanoTime();
        lastSign = time.instant();
    }

    /** The time of the last sign of life, by the wall clock, for display. */
    Optional<Instant> lastSign() {
        return Optional.ofNullable(lastSign);
    }

    /** Restarts the check: silence counts from now, and is reported once, with its duration. */
    void start(Consumer<Duration> onSilence) {
        stop();
        signNanos = time.nanoTime();
        checkIn(longest, onSilence, turn);
    }

    void stop() {
        turn++;
        next.cancel();
    }

    private void checkIn(Duration delay, Consumer<Duration> onSilence, long of) {
        next = time.schedule(delay, () -> locked.execute(() -> check(onSilence, of)));
    }

    private void check(Consumer<Duration> onSilence, long of) {
        if (of != turn) {
            return;
        }
        Duration silent = Duration.ofNanos(time.nanoTime() - signNanos);
        if (silent.compareTo(longest) < 0) {
            checkIn(longest.minus(silent), onSilence, of);
        } else {
            onSilence.accept(silent);
        }
    }
}
