package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.ArmName;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The gates that are currently closed, for a status page. Immutable.
 *
 * @param readsShutUntil the time until which no read is sent; null if reads may be sent
 * @param writesShutUntil the time until which no write is sent; null if writes may be sent
 * @param busyUntil load balancers with another operation in progress, with the time until which no write is sent to
 *     them
 */
public record GateStatus(
        @Nullable Instant readsShutUntil, @Nullable Instant writesShutUntil, Map<ArmName, Instant> busyUntil) {

    public GateStatus {
        busyUntil = Map.copyOf(busyUntil);
    }
}
