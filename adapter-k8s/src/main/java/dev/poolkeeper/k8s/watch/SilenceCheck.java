package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices that there was no sign of life for too long, by the monotonic clock. To be used under the lock of its owner,
 * under which it also reports.
 */
final class SilenceCheck {

    private final Time time;
    private final Duration longest;
    private final Executor locked;
    private Time.Cancellable next = () -> {};
    /** Counts starts and stops, so that a check that was in progress meanwhile means nothing. */
    private long turn;

    private long signNanos;
    private @Nullable Instant lastSign;

    /** @param locked runs a task at once, under the owner's lock */
    SilenceCheck(Time time, Duration longest, Executor locked) {
        this.time = time;
        this.longest = longest;
        this.locked = locked;
    }

    /** There was a sign of life. */
    void sign() {
        signNanos = time.nanoTime();
        lastSign = time.instant();
    }

    /** When that was last, by the wall clock, for people to read. */
    Optional<Instant> lastSign() {
        return Optional.ofNullable(lastSign);
    }

    /** Begins again: silence counts from now. It is reported once, with how long it was. */
    void start(Consumer<Duration> told) {
        stop();
        signNanos = time.nanoTime();
        checkIn(longest, told, turn);
    }

    void stop() {
        turn++;
        next.cancel();
    }

    private void checkIn(Duration delay, Consumer<Duration> told, long of) {
        next = time.schedule(delay, () -> locked.execute(() -> check(told, of)));
    }

    private void check(Consumer<Duration> told, long of) {
        if (of != turn) {
            return;
        }
        Duration silent = Duration.ofNanos(time.nanoTime() - signNanos);
        if (silent.compareTo(longest) < 0) {
            checkIn(longest.minus(silent), told, of);
        } else {
            told.accept(silent);
        }
    }
}
