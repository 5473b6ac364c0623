package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.fake.FakeTime;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The locker of the Go provider (cloud-provider-azure, {@code azure_lock.go}), as it behaves: it creates a Lease of 900
 * s if there is none, takes one that has no holder, has expired by the wall clock, or names it already, never writes
 * the duration of an existing Lease, never renews, and releases its own unexpired hold.
 */
final class GoProvider {

    static final String NAME = "cloud-controller-manager";

    private final LeaseStore leases;
    private final FakeTime time;
    private final String holder;

    GoProvider(LeaseStore leases, FakeTime time) {
        this(leases, time, NAME);
    }

    /** @param holder another component that uses the same algorithm */
    GoProvider(LeaseStore leases, FakeTime time, String holder) {
        this.leases = leases;
        this.time = time;
        this.holder = holder;
    }

    /** False if another writer has it. */
    boolean lock() throws LeaseStoreException {
        if (leases.get().isEmpty()) {
            leases.create(new LeaseBuilder()
                    .withNewSpec()
                    .withLeaseDurationSeconds(900)
                    .endSpec()
                    .build());
        }
        Lease there = leases.get().orElseThrow();
        if (!hasExpired(there) && !holderOf(there).equalsIgnoreCase(holder)) {
            return false;
        }
        ZonedDateTime now = time.instant().atZone(ZoneOffset.UTC);
        leases.update(there.edit()
                .editSpec()
                .withHolderIdentity(holder)
                .withAcquireTime(now)
                .withRenewTime(now)
                .endSpec()
                .build());
        return true;
    }

    void unlock() throws LeaseStoreException {
        Lease there = leases.get().orElse(null);
        if (there == null || !holderOf(there).equalsIgnoreCase(holder) || hasExpired(there)) {
            return;
        }
        leases.update(there.edit()
                .editSpec()
                .withHolderIdentity("")
                .endSpec()
                .editMetadata()
                .addToAnnotations(LeaseResourceLock.PREVIOUS_HOLDER, NAME)
                .endMetadata()
                .build());
    }

    /** Whether its own hold still keeps others of its kind out. */
    boolean isExclusive() throws LeaseStoreException {
        Lease there = leases.get().orElseThrow();
        return holderOf(there).equals(holder) && !hasExpired(there);
    }

    private static String holderOf(Lease lease) {
        return Objects.requireNonNullElse(lease.getSpec().getHolderIdentity(), "");
    }

    private boolean hasExpired(Lease lease) {
        LeaseSpec spec = lease.getSpec();
        if (holderOf(lease).isEmpty()) {
            return true;
        }
        Duration duration = Duration.ofSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0));
        Instant renewed = Optional.ofNullable(spec.getRenewTime())
                .map(ZonedDateTime::toInstant)
                .orElse(Instant.EPOCH);
        return time.instant().isAfter(renewed.plus(duration));
    }

    static Map<String, String> annotations(Lease lease) {
        return lease.getMetadata().getAnnotations();
    }
}
