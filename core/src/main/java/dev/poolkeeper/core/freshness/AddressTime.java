package dev.poolkeeper.core.freshness;

import java.time.Duration;
import java.time.Instant;

/** A number that changes, integrated over time. Guarded by {@link Freshness}. */
final class AddressTime {

    private long number;
    private Duration total = Duration.ZERO;
    private Instant until = Instant.EPOCH;

    void add(long more) {
        number += more;
    }

    /** @param counts whether to include the time since the last call */
    void advance(Instant now, boolean counts) {
        if (counts && number > 0) {
            total = total.plus(Duration.between(until, now).multipliedBy(number));
        }
        until = now;
    }

    /**
     * @param at now, or earlier if nothing has changed since
     * @param counts whether to include the time since the last change
     */
    Duration total(Instant at, boolean counts) {
        return counts ? total.plus(Duration.between(until, at).multipliedBy(number)) : total;
    }
}
