package dev.poolkeeper.k8s.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The changes that we write into a Lease. All other fields stay as they are. */
final class LeaseEdits {

    private LeaseEdits() {}

    private static ZonedDateTime micros(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }

    /** The Lease (null to create one) with us as its new holder. */
    static Lease taken(@Nullable Lease lease, String identity, Duration duration, Instant now) {
        LeaseSpec spec = lease == null ? null : lease.getSpec();
        int transitions =
                spec == null || spec.getLeaseTransitions() == null ? 0 : Math.max(0, spec.getLeaseTransitions());
        return (lease == null ? new LeaseBuilder() : lease.edit())
                .editOrNewSpec()
                .withHolderIdentity(identity)
                .withLeaseDurationSeconds(Math.toIntExact(duration.toSeconds()))
                .withAcquireTime(micros(now))
                .withRenewTime(micros(now))
                .withLeaseTransitions(spec == null || transitions == Integer.MAX_VALUE ? transitions : transitions + 1)
                .endSpec()
                .editOrNewMetadata()
                .endMetadata()
                .build();
    }

    static Lease renewed(Lease lease, Instant now) {
        return lease.edit().editOrNewSpec().withRenewTime(micros(now)).endSpec().build();
    }

    /** The Lease without a holder. */
    static Lease released(Lease lease, Instant now) {
        return lease.edit()
                .editOrNewSpec()
                .withHolderIdentity(null)
                .withRenewTime(micros(now))
                .endSpec()
                .build();
    }

    static Lease annotated(Lease lease, String annotation, String value) {
        return lease.edit()
                .editOrNewMetadata()
                .addToAnnotations(annotation, value)
                .endMetadata()
                .build();
    }
}
