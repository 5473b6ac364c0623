package dev.poolkeeper.azure;

import java.time.Duration;

/** Hears of every attempt and every wait. Implementations are thread-safe, never block and never throw. */
public interface ArmCallListener {

    /** An attempt is over. */
    void attempted(ArmCall call);

    /** The calling thread will wait before a retry or a poll. */
    default void waiting(ArmCall.Purpose purpose, Duration duration) {}

    /** Hears nothing. */
    ArmCallListener NONE = call -> {};
}
