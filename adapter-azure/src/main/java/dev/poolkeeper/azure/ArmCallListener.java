package dev.poolkeeper.azure;

import dev.poolkeeper.ports.ArmName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every attempt and every wait, on the thread that made the call. Each {@link #attempting} is followed on the
 * same thread by one {@link #attempted} before anything else is told. Implementations are thread-safe, never block and
 * never throw.
 */
public interface ArmCallListener {

    /**
     * An attempt begins; its headers are asked for next.
     *
     * @param loadBalancer the load balancer it concerns; null for a listing
     * @param attempt 1 for the first attempt, more for its retries
     */
    default void attempting(ArmCall.Purpose purpose, @Nullable ArmName loadBalancer, int attempt) {}

    /** An attempt is over, or was refused at a shut gate. */
    void attempted(ArmCall call);

    /** The calling thread will wait before a retry or a poll. */
    default void waiting(ArmCall.Purpose purpose, Duration duration) {}

    /** Hears nothing. */
    ArmCallListener NONE = call -> {};
}
