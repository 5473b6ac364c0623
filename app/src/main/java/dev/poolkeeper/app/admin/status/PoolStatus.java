package dev.poolkeeper.app.admin.status;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pool: what it should hold, what it held, and why it does not hold the one yet. Immutable.
 *
 * @param pool where it is
 * @param services whose pool it is, usually one
 * @param wanted what it should hold; null where that is not known yet
 * @param lastRead what it held when it was last read or written; null before that
 * @param attempts how often the update at hand was tried and failed
 * @param parked until when it waits and why; null where it does not
 * @param held why it is not written until something changes (a pause, the brake, a fight, a 403, an ambiguous name);
 *     null where nothing holds it
 * @param lastOutcome how the last update ended; null before the first
 */
public record PoolStatus(
        PoolKey pool,
        List<ServiceName> services,
        @Nullable AddressSet wanted,
        @Nullable Reading lastRead,
        int attempts,
        @Nullable Parked parked,
        @Nullable String held,
        @Nullable Outcome lastOutcome) {

    public PoolStatus {
        services = List.copyOf(services);
    }

    /**
     * What a pool held.
     *
     * @param addresses what it held
     * @param at when
     */
    public record Reading(AddressSet addresses, Instant at) {}

    /**
     * A wait.
     *
     * @param until when it may go; null for the next tick
     * @param reason why it waits
     */
    public record Parked(@Nullable Instant until, String reason) {}

    /**
     * How an update ended.
     *
     * @param at when
     * @param result in a word or two, such as {@code updated} or {@code given up}
     * @param failed whether it ended badly
     * @param text what failed; null where nothing did
     */
    public record Outcome(
            Instant at,
            String result,
            boolean failed,
            @Nullable String text) {}

    /** What it lacks; empty where that is not known. */
    public AddressSet toAdd() {
        return wanted == null || lastRead == null ? AddressSet.empty() : wanted.minus(lastRead.addresses());
    }

    /** What it holds too much; empty where that is not known. */
    public AddressSet toRemove() {
        return wanted == null || lastRead == null
                ? AddressSet.empty()
                : lastRead.addresses().minus(wanted);
    }

    /** Whether somebody should look at it: it differs, waits, is held, was never read, or ended badly. */
    public boolean isProblem() {
        return wanted == null
                || lastRead == null
                || parked != null
                || held != null
                || attempts > 0
                || (lastOutcome != null && lastOutcome.failed())
                || !toAdd().isEmpty()
                || !toRemove().isEmpty();
    }
}
