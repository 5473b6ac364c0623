package dev.poolkeeper.k8s.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Lease as it was last observed, and since when it has been unchanged, by our own monotonic clock. Times written by
 * another machine are only compared for change, never with our clock. Immutable.
 *
 * @param spec the observed spec
 * @param seconds the duration that its holder reckons with; null if there is none
 * @param sinceNanos when this spec was first observed
 */
record LeaseObservation(LeaseSpec spec, @Nullable Integer seconds, long sinceNanos) {

    /**
     * The observation after another read.
     *
     * @param before the previous observation, null if there is none
     * @param nowNanos the time after the response arrived, so that the observed age is never overestimated
     */
    static LeaseObservation of(@Nullable LeaseObservation before, Lease lease, long nowNanos) {
        LeaseSpec seen = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
        long since = before != null && Objects.equals(before.spec, seen) ? before.sinceNanos : nowNanos;
        return new LeaseObservation(seen, ReplacedDuration.ofHolder(lease), since);
    }

    /** The holder's identity, null if there is no holder. */
    @Nullable
    String holder() {
        String holder = spec.getHolderIdentity();
        return holder == null || holder.isBlank() ? null : holder;
    }

    /** When the holder says that it acquired the Lease, null if it does not say. */
    @Nullable
    Instant acquired() {
        return spec.getAcquireTime() == null ? null : spec.getAcquireTime().toInstant();
    }

    /** The {@code leaseDurationSeconds} that its holder reckons with. */
    Duration durationOr(Duration whereAbsent) {
        return seconds == null || seconds <= 0 ? whereAbsent : Duration.ofSeconds(seconds);
    }

    /** The time left until it has been unchanged for that duration; zero or less once it has. */
    Duration leftOf(Duration duration, long nowNanos) {
        return duration.minusNanos(nowNanos - sinceNanos);
    }
}
