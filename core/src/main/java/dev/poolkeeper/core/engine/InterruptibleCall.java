package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes one call at a time, which other threads can interrupt; an interrupt that arrives too late never affects later
 * code. Thread-safe.
 */
final class InterruptibleCall {

    private @Nullable Thread calling;
    private Instant started = Instant.MIN;

    /**
     * Makes the call, unless it may not start; one that throws has failed. Both are checked atomically: making the
     * condition false and then interrupting either interrupts the call or prevents it.
     */
    <T> Reply<T> call(Instant now, BooleanSupplier mayStart, Supplier<Reply<T>> call) {
        boolean interruptedBefore = Thread.currentThread().isInterrupted();
        synchronized (this) {
            if (!mayStart.getAsBoolean()) {
                return Reply.failed(Failure.Cancelled.atFence());
            }
            calling = Thread.currentThread();
            started = now;
        }
        try {
            return SafePorts.reply(call);
        } finally {
            synchronized (this) {
                if (calling == null && !interruptedBefore) {
                    Thread.interrupted(); // it was meant only for the call
                }
                calling = null;
            }
        }
    }

    /** Interrupts the call in progress if it has run for at least this long. */
    synchronized void interrupt(Instant now, Duration atLeast) {
        if (calling != null && !started.plus(atLeast).isAfter(now)) {
            interrupt();
        }
    }

    /** Interrupts the call in progress. */
    synchronized void interrupt() {
        Thread thread = calling;
        if (thread != null) {
            calling = null;
            thread.interrupt();
        }
    }
}
