package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ResourceLock.Holder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the lock reports about its holder. */
class ResourceLockStatusTest {

    private final MemoryLease memory = new MemoryLease();
    private final MemoryLease.Link link = memory.new Link();
    private final FakeTime time = new FakeTime();
    private final LeaseResourceLock lock =
            new LeaseResourceLock(link, "poolkeeper_1", ResourceLockSettings.DEFAULT, time);

    private void heldByAnother(@Nullable Integer seconds) {
        memory.write(new LeaseBuilder()
                .withNewSpec()
                .withHolderIdentity("another")
                .withLeaseDurationSeconds(seconds)
                .withAcquireTime(ZonedDateTime.parse("2026-03-01T11:58:00Z"))
                .withRenewTime(ZonedDateTime.parse("2026-03-01T11:59:00Z"))
                .endSpec()
                .build());
    }

    @Test
    void before_the_first_attempt_nothing_is_known() {
        assertThat(lock.status()).isEqualTo(ResourceLockStatus.NONE);
    }

    @Test
    void a_held_lock_shows_since_when_and_until_when() {
        assertThat(lock.tryAcquire()).isPresent();
        time.advance(Duration.ofSeconds(15));

        assertThat(lock.status())
                .isEqualTo(new ResourceLockStatus(
                        true,
                        Optional.of(new ResourceLockStatus.Holding(
                                "poolkeeper_1", Optional.of(FakeTime.START), FakeTime.START.plusSeconds(10 + 60))),
                        Optional.empty(),
                        Optional.empty()));
    }

    @Test
    @Rule(
            id = "L12",
            says = "As soon as the resource lock is released, the status and the gauge show that it is not held, even"
                    + " while the request that clears the Lease is in progress.",
            source = "ours")
    void a_released_lock_is_no_longer_held() {
        // given
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        boolean[] heldDuringRelease = {true, true};
        link.onWayBack = () -> {
            heldDuringRelease[0] = lock.status().held();
            heldDuringRelease[1] = hold.isHeld();
        };
        // when
        hold.close();
        // then
        assertThat(heldDuringRelease).containsExactly(false, false);
        assertThat(lock.status().held()).isFalse();
        assertThat(lock.status().holder()).isEmpty();
    }

    @Test
    void a_hold_that_was_lost_is_not_held() {
        assertThat(lock.tryAcquire()).isPresent();
        heldByAnother(60);
        time.advance(Duration.ofSeconds(10));

        assertThat(lock.status().held()).isFalse();
    }

    @Test
    void an_unreleased_lease_names_us_but_is_not_held() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        link.cut = true;
        hold.close();

        assertThat(lock.status().held()).isFalse();
        assertThat(lock.status().holder()).contains("poolkeeper_1");
        time.advance(Duration.ofSeconds(60));
        assertThat(lock.status().holder()).isEmpty();
    }

    @Test
    @Rule(
            id = "L13",
            says = "Another holder's Lease expires after its own leaseDurationSeconds, or after 900 s if it has none,"
                    + " counted by our clock from its last observed change. The status shows its holder, since when"
                    + " it is held, and when it expires.",
            source = "cloud-provider-azure, azureResourceLocker")
    void another_holder_is_named_with_the_time_at_which_its_own_duration_ends() {
        // given
        heldByAnother(120);
        // when
        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(50));
        // then
        assertThat(lock.status())
                .isEqualTo(new ResourceLockStatus(
                        false,
                        Optional.of(new ResourceLockStatus.Holding(
                                "another",
                                Optional.of(FakeTime.START.minusSeconds(120)),
                                FakeTime.START.plusSeconds(120))),
                        Optional.of(FakeTime.START.plusSeconds(120)),
                        Optional.empty()));
        assertThat(lock.holder())
                .contains(new Holder(
                        "another", Optional.of(FakeTime.START.minusSeconds(120)), FakeTime.START.plusSeconds(120)));
        time.advance(Duration.ofSeconds(69));
        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        assertThat(lock.status().holding()).isEmpty();
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void a_holder_without_a_duration_is_waited_for_fifteen_minutes() {
        heldByAnother(null);

        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(899));
        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void an_error_is_reported_until_an_attempt_succeeds() {
        link.cut = true;
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.status().error()).contains("cut");

        link.cut = false;
        lock.tryAcquire().orElseThrow().close();

        assertThat(lock.status().error()).isEmpty();
    }

    @Test
    void an_error_is_over_when_another_writer_is_first() {
        link.cut = true;
        assertThat(lock.tryAcquire()).isEmpty();
        link.cut = false;
        link.beforeUpdate = () -> heldByAnother(60);
        memory.write(new LeaseBuilder().withNewSpec().endSpec().build());

        assertThat(lock.tryAcquire()).isEmpty();

        assertThat(memory.holder()).isEqualTo("another");
        assertThat(lock.status().error()).isEmpty();
    }
}
