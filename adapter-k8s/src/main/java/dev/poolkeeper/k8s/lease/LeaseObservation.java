package dev.poolkeeper.k8s.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Lease as it was last seen, and since when it looks like that by our own monotonic clock. What another machine's
 * clock wrote into it is compared for change only, never with a time of ours. Immutable.
 *
 * @param spec what the Lease said
 * @param sinceNanos when it was first seen to say that
 */
record LeaseObservation(LeaseSpec spec, long sinceNanos) {

    /**
     * What is known after another look.
     *
     * @param before what was known before, null for nothing
     * @param nowNanos after the answer came, so that what is seen is never older than we think
     */
    static LeaseObservation of(@Nullable LeaseObservation before, Lease lease, long nowNanos) {
        LeaseSpec seen = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
        return before != null && Objects.equals(before.spec, seen) ? before : new LeaseObservation(seen, nowNanos);
    }

    /** Who holds it, null for no one. */
    @Nullable
    String holder() {
        String holder = spec.getHolderIdentity();
        return holder == null || holder.isBlank() ? null : holder;
    }

    /** When its holder says that it acquired it, null where it does not say. */
    @Nullable
    Instant acquired() {
        return spec.getAcquireTime() == null ? null : spec.getAcquireTime().toInstant();
    }

    /** How long its holder wants it to last without a renewal. */
    Duration durationOr(Duration whereAbsent) {
        Integer seconds = spec.getLeaseDurationSeconds();
        return seconds == null || seconds <= 0 ? whereAbsent : Duration.ofSeconds(seconds);
    }

    /** How long it takes until it was unchanged for that duration; zero or less once it was. */
    Duration leftOf(Duration duration, long nowNanos) {
        return duration.minusNanos(nowNanos - sinceNanos);
    }
}
