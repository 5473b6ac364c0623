package dev.poolkeeper.k8s.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Lease as it was last seen, and since when it looks like that by our own monotonic clock. What another machine's
 * clock wrote into it is compared for change only, never with a time of ours. Not thread-safe.
 */
final class LeaseObservation {

    private @Nullable LeaseSpec spec;
    private long sinceNanos;

    /** @param nowNanos after the answer came, so that what is seen is never older than we think */
    void observe(Lease lease, long nowNanos) {
        if (!Objects.equals(spec, lease.getSpec())) {
            spec = lease.getSpec();
            sinceNanos = nowNanos;
        }
    }

    /** Who holds it, null for nobody. */
    @Nullable
    String holder() {
        LeaseSpec seen = spec;
        String holder = seen == null ? null : seen.getHolderIdentity();
        return holder == null || holder.isBlank() ? null : holder;
    }

    /** Whether it looked the same for its own duration, and for the given one at least. */
    boolean isExpired(long nowNanos, Duration atLeast) {
        LeaseSpec seen = spec;
        Integer seconds = seen == null ? null : seen.getLeaseDurationSeconds();
        Duration own = Duration.ofSeconds(seconds == null ? 0 : seconds);
        Duration duration = own.compareTo(atLeast) > 0 ? own : atLeast;
        return nowNanos - sinceNanos >= duration.toNanos();
    }
}
