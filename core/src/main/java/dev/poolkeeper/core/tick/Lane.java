package dev.poolkeeper.core.tick;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One load balancer's turn, or that of all of them: whether somebody is at it, and the call that is under way. A call
 * can be interrupted from outside; an interruption that comes too late for it never reaches what follows. Thread-safe.
 */
final class Lane {

    /** The load balancer that it serves, null for all. */
    final @Nullable ArmName loadBalancer;

    /** Held while its groups run. */
    final Lock lock;

    private boolean busy;
    private boolean missedTick;
    private @Nullable Thread calling;
    private Instant callStarted = Instant.MIN;

    Lane(@Nullable ArmName loadBalancer, Lock lock) {
        this.loadBalancer = loadBalancer;
        this.lock = lock;
    }

    /** Takes the lane. If somebody is still at it, a load balancer of its own will have missed a tick. */
    synchronized boolean tryStart() {
        if (busy) {
            missedTick = loadBalancer != null;
            return false;
        }
        busy = true;
        return true;
    }

    /** Keeps the lane, for the tick that it missed since it was taken; or gives it back, if there was none. */
    synchronized boolean startMissedOrEnd() {
        busy = missedTick;
        missedTick = false;
        return busy;
    }

    synchronized void end() {
        busy = false;
        missedTick = false;
    }

    /**
     * Makes a call that {@link #interruptCall} can reach, unless it is shut down. Both are decided in one step: who
     * shuts down and then interrupts either reaches the call or keeps it from starting.
     */
    <T> Reply<T> call(Instant now, BooleanSupplier shutdown, Supplier<Reply<T>> call) {
        boolean interruptedBefore = Thread.currentThread().isInterrupted();
        synchronized (this) {
            if (shutdown.getAsBoolean()) {
                return Reply.failed(new Failure.Cancelled("shut down"));
            }
            calling = Thread.currentThread();
            callStarted = now;
        }
        try {
            return call.get();
        } finally {
            synchronized (this) {
                if (calling == null && !interruptedBefore) {
                    Thread.interrupted(); // it was meant for the call alone
                }
                calling = null;
            }
        }
    }

    /** Interrupts the call under way if it began at least so long ago. */
    synchronized void interruptCall(Instant now, Duration atLeast) {
        Thread thread = calling;
        if (thread != null && !callStarted.plus(atLeast).isAfter(now)) {
            calling = null;
            thread.interrupt();
        }
    }
}
