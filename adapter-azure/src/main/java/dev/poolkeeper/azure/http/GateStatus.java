package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.ArmName;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which gates are shut at one moment, for a status page. Immutable.
 *
 * @param readsShutUntil until when no read goes out; null: reads may go out
 * @param writesShutUntil until when no write goes out; null: writes may go out
 * @param busyUntil load balancers that were at work on something else, with the instant until which no write goes to
 *     them
 */
public record GateStatus(
        @Nullable Instant readsShutUntil, @Nullable Instant writesShutUntil, Map<ArmName, Instant> busyUntil) {

    public GateStatus {
        busyUntil = Map.copyOf(busyUntil);
    }
}
