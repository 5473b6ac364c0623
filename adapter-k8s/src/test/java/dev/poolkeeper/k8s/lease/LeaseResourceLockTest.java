package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.ResourceLock;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseResourceLockTest {

    private final MemoryLease memory = new MemoryLease();
    private final MemoryLease.Link link = memory.new Link();
    private final FakeTime time = new FakeTime();
    private final LeaseResourceLock lock =
            new LeaseResourceLock(link, "poolkeeper_1", ResourceLockSettings.DEFAULT, time);

    private void heldByGoUpdater(ZonedDateTime renewTime) {
        memory.write(memory.get()
                .map(Lease::edit)
                .orElseGet(LeaseBuilder::new)
                .editOrNewSpec()
                .withHolderIdentity("cloud-controller-manager")
                .withLeaseDurationSeconds(900)
                .withRenewTime(renewTime)
                .endSpec()
                .build());
    }

    @Test
    void the_lease_names_its_holder_and_duration() {
        assertThat(lock.tryAcquire()).isPresent();

        assertThat(memory.get()).hasValueSatisfying(lease -> {
            assertThat(lease.getSpec().getHolderIdentity()).isEqualTo("poolkeeper_1");
            assertThat(lease.getSpec().getLeaseDurationSeconds()).isEqualTo(60);
            assertThat(lease.getSpec().getRenewTime().toInstant()).isEqualTo(time.instant());
        });
    }

    @Test
    void a_release_clears_the_holder_and_records_the_previous_one() {
        lock.tryAcquire().orElseThrow().close();

        assertThat(memory.holder()).isNull();
        assertThat(memory.get().orElseThrow().getMetadata().getAnnotations())
                .containsEntry("aks-managed-resource-locker-previous-holder", "poolkeeper_1");
    }

    @Test
    void a_lock_released_by_this_process_is_acquired_with_a_single_request() {
        lock.tryAcquire().orElseThrow().close();
        link.requests = 0;

        assertThat(lock.tryAcquire()).isPresent();

        assertThat(link.requests).isEqualTo(1);
        assertThat(memory.holder()).isEqualTo("poolkeeper_1");
    }

    @Test
    void a_lock_that_another_writer_acquired_since_the_release_stays_with_it() {
        lock.tryAcquire().orElseThrow().close();
        heldByGoUpdater(time.instant().atZone(ZoneOffset.UTC));

        assertThat(lock.tryAcquire()).isEmpty();

        assertThat(memory.holder()).isEqualTo("cloud-controller-manager");
    }

    @Test
    void a_lease_that_was_edited_or_deleted_since_the_release_is_read_and_acquired() {
        lock.tryAcquire().orElseThrow().close();
        memory.write(memory.get().orElseThrow());

        lock.tryAcquire().orElseThrow().close();
        memory.delete();

        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void a_lock_of_another_holder_is_free_only_after_no_change_for_its_duration() {
        heldByGoUpdater(ZonedDateTime.parse("2001-01-01T00:00:00Z")); // long ago, by the other machine's clock

        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(899));
        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void a_renewal_by_another_holder_restarts_the_time() {
        heldByGoUpdater(ZonedDateTime.parse("2026-03-01T12:00:00Z"));
        lock.tryAcquire();
        time.advance(Duration.ofSeconds(800));
        heldByGoUpdater(ZonedDateTime.parse("2026-03-01T12:10:00Z"));

        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(899));
        assertThat(lock.tryAcquire()).isEmpty();
    }

    @Test
    void a_wall_clock_jump_expires_nothing() {
        heldByGoUpdater(ZonedDateTime.parse("2026-03-01T12:00:00Z"));
        lock.tryAcquire();

        time.jump(Duration.ofDays(365));

        assertThat(lock.tryAcquire()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {-24, -1, 1, 24})
    void a_hold_keeps_its_duration_when_our_wall_clock_jumps(long hours) {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();

        time.jump(Duration.ofHours(hours));
        time.advance(Duration.ofMillis(59_999));
        assertThat(hold.isHeld()).isTrue();
        assertThat(memory.get().orElseThrow().getSpec().getRenewTime().toInstant())
                .isAfter(time.instant().minusSeconds(10));

        time.advance(Duration.ofMillis(1));
        assertThat(hold.isHeld()).isFalse();
        hold.close();
        assertThat(memory.holder()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {-24, -1, 1, 24})
    void the_lease_of_a_crashed_holder_is_waited_out_in_full_despite_wall_clock_jumps(long hours) {
        heldByGoUpdater(ZonedDateTime.parse("2026-03-01T12:00:00Z"));
        assertThat(lock.tryAcquire()).isEmpty();

        time.advance(Duration.ofSeconds(450));
        time.jump(Duration.ofHours(hours));
        time.advance(Duration.ofSeconds(449));
        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(1));

        assertThat(lock.tryAcquire()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(longs = {-24, -1, 1, 24})
    void another_holder_whose_clock_is_hours_off_keeps_the_lock_while_it_renews(long hours) {
        ZonedDateTime theirs = time.instant().atZone(ZoneOffset.UTC).plusHours(hours);
        for (int minute = 0; minute < 60; minute += 10) {
            heldByGoUpdater(theirs.plusMinutes(minute));

            assertThat(lock.tryAcquire()).isEmpty();
            time.advance(Duration.ofMinutes(10));
        }
    }

    @Test
    void the_lease_is_renewed_while_the_lock_is_held() {
        assertThat(lock.tryAcquire()).isPresent();
        var acquired = memory.get().orElseThrow().getSpec().getRenewTime();

        time.advance(Duration.ofSeconds(10));

        assertThat(memory.get().orElseThrow().getSpec().getRenewTime()).isEqualTo(acquired.plusSeconds(10));
    }

    @Test
    void a_renewal_counts_from_when_it_was_sent_not_from_when_it_was_answered() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        link.onWayBack = () -> { // of the renewal at 10 s
            time.advance(Duration.ofSeconds(5));
            link.cut = true;
        };

        time.advance(Duration.ofSeconds(10));
        time.advance(Duration.ofMillis(34_999)); // 49.999 s in all

        assertThat(hold.isHeld()).isTrue();
        time.advance(Duration.ofMillis(1));
        assertThat(hold.isHeld()).isFalse();
    }

    @Test
    void a_hold_that_is_not_renewed_in_time_is_lost_for_good() {
        var settings = new ResourceLockSettings(
                Duration.ofMinutes(15), Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofSeconds(20));
        ResourceLock.Hold hold =
                new LeaseResourceLock(link, "me", settings, time).tryAcquire().orElseThrow();

        link.cut = true;
        time.advance(Duration.ofMillis(19_999));
        assertThat(hold.isHeld()).isTrue();
        time.advance(Duration.ofMillis(1));
        assertThat(hold.isHeld()).isFalse();
        link.cut = false;
        time.advance(Duration.ofSeconds(10));
        assertThat(hold.isHeld()).isFalse();
        hold.close();
        assertThat(memory.holder()).isNull();
    }

    @Test
    void after_a_minute_no_call_starts_but_others_wait_until_work_in_progress_has_ended() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();

        time.advance(Duration.ofSeconds(60));

        assertThat(hold.isHeld()).isFalse();
        assertThat(memory.holder()).isEqualTo("poolkeeper_1");
        hold.close();
        assertThat(memory.holder()).isNull();
    }

    /** What a renewal fails with, before the next one succeeds. */
    private enum Earlier {
        NOTHING {
            @Override
            void befall(LeaseResourceLockTest test) {}
        },
        NO_CONNECTION {
            @Override
            void befall(LeaseResourceLockTest test) {
                test.link.cut = true;
            }
        },
        NO_ANSWER {
            @Override
            void befall(LeaseResourceLockTest test) {
                test.link.answersLost = true;
            }
        },
        EDIT {
            @Override
            void befall(LeaseResourceLockTest test) {
                test.edit("earlier");
            }
        };

        abstract void befall(LeaseResourceLockTest test);
    }

    private void edit(String annotation) {
        memory.write(LeaseEdits.annotated(memory.get().orElseThrow(), annotation, "yes"));
    }

    private Instant renewed() {
        return memory.get().orElseThrow().getSpec().getRenewTime().toInstant();
    }

    @ParameterizedTest
    @EnumSource
    void an_edit_delays_no_renewal_whatever_became_of_earlier_ones(Earlier earlier) {
        // given
        assertThat(lock.tryAcquire()).isPresent();
        earlier.befall(this);
        time.advance(Duration.ofSeconds(10));
        link.cut = false;
        link.answersLost = false;
        time.advance(Duration.ofSeconds(9));
        Instant due = renewed().plusSeconds(10);
        // when
        edit("touched");
        time.advance(Duration.between(time.instant(), due));
        // then
        assertThat(renewed()).isEqualTo(due);
    }

    @Test
    void an_edit_of_other_fields_does_not_take_the_lease() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        memory.write(LeaseEdits.annotated(memory.get().orElseThrow(), "touched", "yes"));

        time.advance(Duration.ofSeconds(11));

        assertThat(hold.isHeld()).isTrue();
        hold.close();
        assertThat(memory.holder()).isNull();
        assertThat(memory.get().orElseThrow().getMetadata().getAnnotations()).containsEntry("touched", "yes");
    }

    @Test
    void an_unreleased_lease_is_acquired_again() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        link.cut = true;
        hold.close();
        link.cut = false;

        assertThat(memory.holder()).isEqualTo("poolkeeper_1");
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void a_failed_release_is_retried() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        link.cut = true;
        hold.close();
        time.advance(Duration.ofSeconds(30));
        assertThat(memory.holder()).isEqualTo("poolkeeper_1");

        link.cut = false;
        time.advance(Duration.ofSeconds(3));

        assertThat(memory.holder()).isNull();
    }

    @Test
    void after_a_long_hold_the_lock_is_left_to_other_writers_for_five_seconds() {
        // given
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        time.advance(Duration.ofSeconds(11));
        // when
        hold.close();
        // then
        time.advance(Duration.ofMillis(4_900));
        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofMillis(200));
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void a_short_hold_that_is_released_late_counts_as_long() {
        // given
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        time.advance(Duration.ofSeconds(1));
        link.cut = true;
        hold.close();
        time.advance(Duration.ofSeconds(14));
        assertThat(memory.holder()).isEqualTo("poolkeeper_1");
        // when
        link.cut = false;
        time.advance(Duration.ofSeconds(3));
        // then
        assertThat(memory.holder()).isNull();
        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(5));
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void a_late_release_leaves_a_later_hold_alone() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        time.advance(Duration.ofSeconds(1));
        link.cut = true;
        hold.close();
        link.cut = false;
        ResourceLock.Hold later = lock.tryAcquire().orElseThrow();

        time.advance(Duration.ofSeconds(3));

        assertThat(later.isHeld()).isTrue();
        assertThat(memory.holder()).isEqualTo("poolkeeper_1");
    }

    @Test
    void with_an_unreachable_api_server_there_is_no_lock_and_the_status_gives_the_reason() {
        link.cut = true;

        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.status().error()).contains("cut");
    }

    @Test
    void of_two_holders_that_find_it_free_one_acquires_it() {
        memory.write(new LeaseBuilder().withNewSpec().endSpec().build());
        LeaseResourceLock other =
                new LeaseResourceLock(memory.new Link(), "poolkeeper_2", ResourceLockSettings.DEFAULT, new FakeTime());
        MemoryLease.Link slow = memory.new Link() {
            @Override
            public Optional<Lease> get() throws LeaseStoreException {
                var seen = super.get();
                assertThat(other.tryAcquire()).isPresent();
                return seen;
            }
        };

        assertThat(new LeaseResourceLock(slow, "poolkeeper_1", ResourceLockSettings.DEFAULT, time).tryAcquire())
                .isEmpty();
        assertThat(memory.holder()).isEqualTo("poolkeeper_2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cloud-controller-manager", "", " ", "\t\n"})
    void an_identity_that_others_may_have_is_refused(String identity) {
        assertThatThrownBy(() -> new LeaseResourceLock(link, identity, ResourceLockSettings.DEFAULT, time))
                .hasMessageContaining("unique to this process");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        PT60S   | PT10S | PT0S   | PT40S | the resource lock needs 0 < retry < renewInterval < renewDeadline < leaseDuration, got PT0S, PT10S, PT40S, PT1M
        PT60S   | PT10S | PT10S  | PT40S | the resource lock needs 0 < retry < renewInterval < renewDeadline < leaseDuration, got PT10S, PT10S, PT40S, PT1M
        PT60S   | PT10S | PT2S   | PT10S | the resource lock needs 0 < retry < renewInterval < renewDeadline < leaseDuration, got PT2S, PT10S, PT10S, PT1M
        PT40S   | PT10S | PT2S   | PT40S | the resource lock needs 0 < retry < renewInterval < renewDeadline < leaseDuration, got PT2S, PT10S, PT40S, PT40S
        PT60.5S | PT10S | PT2S   | PT40S | leaseDuration must be whole seconds, got PT1M0.5S
        """)
    void times_that_are_out_of_order_are_refused(
            Duration lease, Duration interval, Duration retry, Duration deadline, String message) {
        assertThatThrownBy(() -> new ResourceLockSettings(lease, interval, retry, deadline))
                .hasMessage(message);
    }

    @Test
    void a_process_that_may_no_longer_hold_the_lock_neither_acquires_nor_renews_it() {
        // given
        AtomicBoolean mayHold = new AtomicBoolean(true);
        LeaseResourceLock ours =
                new LeaseResourceLock(link, "poolkeeper_1", ResourceLockSettings.DEFAULT, time, mayHold::get);
        ResourceLock.Hold hold = ours.tryAcquire().orElseThrow();
        int requests = link.requests;
        // when
        mayHold.set(false);
        // then
        assertThat(hold.isHeld()).isFalse();
        time.advance(Duration.ofSeconds(11));
        assertThat(link.requests).isEqualTo(requests);
        hold.close();
        time.advance(Duration.ofMinutes(1));
        assertThat(ours.tryAcquire()).isEmpty();
        assertThat(memory.holder()).isNull();
    }

    @Test
    void a_hold_is_released_once_however_often_it_is_closed() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        hold.close();
        int requests = link.requests;

        hold.close();

        assertThat(link.requests).isEqualTo(requests);
    }
}
