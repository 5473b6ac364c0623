package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.ResourceLock.Hold;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Lease that we share with the Go provider, step by step: what each side finds after the other. */
class SharedLeaseTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final MemoryLease memory = new MemoryLease();
    /** All machines have the same clock here, and all tasks run on it. */
    private final FakeTime time = new FakeTime();

    private final GoProvider go = new GoProvider(memory.new Link(), time);
    private final MemoryLease.Link link = memory.new Link();
    private final LeaseResourceLock ours = new LeaseResourceLock(link, "ours", ResourceLockSettings.DEFAULT, time);
    private final LeaseResourceLock successor =
            new LeaseResourceLock(memory.new Link(), "successor", ResourceLockSettings.DEFAULT, time);

    private void shared(@Nullable Integer seconds) {
        memory.write(new LeaseBuilder()
                .withNewMetadata()
                .addToAnnotations("other", "value")
                .endMetadata()
                .withNewSpec()
                .withLeaseDurationSeconds(seconds)
                .endSpec()
                .build());
    }

    private Lease lease() {
        return memory.get().orElseThrow();
    }

    private @Nullable Integer seconds() {
        return lease().getSpec().getLeaseDurationSeconds();
    }

    private void assertThatOthersFind(@Nullable Integer expected) {
        assertThat(seconds()).isEqualTo(expected);
        assertThat(GoProvider.annotations(lease())).doesNotContainKey(ReplacedDuration.ANNOTATION);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(ints = {1, 15, 59, 60, 61, 900, 86_400, 2_147_483_647})
    @Rule(
            id = "L16",
            says = "Other writers find the Lease of the resource lock as they know it: the release restores the"
                    + " leaseDurationSeconds that was found, or its absence, whatever became of the process in"
                    + " between.",
            source = "cloud-provider-azure, azure_lock.go")
    void a_release_restores_the_duration_that_was_found(@Nullable Integer found) {
        // given
        shared(found);
        // when
        Hold hold = ours.tryAcquire().orElseThrow();
        assertThat(seconds()).isEqualTo(60);
        time.advance(Duration.ofSeconds(45));
        assertThat(seconds()).isEqualTo(60);
        hold.close();
        // then
        assertThatOthersFind(found);
        assertThat(GoProvider.annotations(lease()))
                .containsOnly(Map.entry("other", "value"), Map.entry(LeaseResourceLock.PREVIOUS_HOLDER, "ours"));
        // and when it is acquired again without reading it
        time.advance(Duration.ofSeconds(10));
        ours.tryAcquire().orElseThrow().close();
        assertThatOthersFind(found);
    }

    @Test
    void a_lease_that_we_created_is_left_as_the_go_provider_would_have_created_it() throws Exception {
        ours.tryAcquire().orElseThrow().close();

        assertThatOthersFind(900);
        assertThat(go.lock()).isTrue();
        time.advance(Duration.ofSeconds(899));
        assertThat(go.isExclusive()).isTrue();
    }

    @Test
    void go_holds_and_we_wait() throws Exception {
        shared(900);
        assertThat(go.lock()).isTrue();

        assertThat(ours.tryAcquire()).isEmpty();
        time.advance(MINUTE.multipliedBy(10)); // a long reconcile
        assertThat(ours.tryAcquire()).isEmpty();
        assertThat(go.isExclusive()).isTrue();
        go.unlock();

        assertThat(ours.tryAcquire()).isPresent();
    }

    @Test
    void a_long_reconcile_of_go_stays_exclusive_after_a_hold_of_ours() throws Exception {
        shared(900);
        ours.tryAcquire().orElseThrow().close();

        assertThat(go.lock()).isTrue();
        time.advance(MINUTE.multipliedBy(14));

        assertThat(go.isExclusive()).isTrue();
        assertThat(new GoProvider(memory.new Link(), time, "aks-rp").lock()).isFalse();
        assertThat(ours.tryAcquire()).isEmpty();
    }

    @Test
    void we_hold_and_go_backs_off() throws Exception {
        shared(900);
        Hold hold = ours.tryAcquire().orElseThrow();

        for (int second = 0; second < 59; second++) {
            assertThat(go.lock()).isFalse();
            time.advance(Duration.ofSeconds(1));
        }
        hold.close();

        assertThat(go.lock()).isTrue();
        go.unlock();
        assertThatOthersFind(900);
    }

    /** None of our tasks runs any more. */
    private void weAreKilled() {
        assertThat(ours.tryAcquire()).isPresent();
        time.advance(Duration.ofSeconds(25));
        link.cut = true;
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(ints = {60, 900, 3_600})
    void the_successor_of_a_killed_process_restores_what_was_found(@Nullable Integer found) {
        shared(found);
        weAreKilled();
        assertThat(successor.tryAcquire()).isEmpty();
        time.advance(MINUTE);

        Hold later = successor.tryAcquire().orElseThrow();
        assertThat(seconds()).isEqualTo(60);
        later.close();

        assertThatOthersFind(found);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(ints = {900, 3_600})
    @Rule(
            id = "L17",
            says = "Another writer's hold of the resource lock is judged by its own leaseDurationSeconds; by what was"
                    + " there before if that is one of ours (900 s where absent).",
            source = "ours")
    void go_takes_over_from_a_killed_process_and_keeps_us_out_for_its_own_duration(@Nullable Integer found)
            throws Exception {
        shared(found);
        weAreKilled();
        time.advance(MINUTE);
        assertThat(go.lock()).isTrue();
        assertThat(seconds()).as("Go never writes it").isEqualTo(60);

        assertThat(successor.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds((found == null ? 900 : found) - 1));
        assertThat(successor.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        Hold later = successor.tryAcquire().orElseThrow();
        later.close();

        assertThatOthersFind(found);
    }

    @Test
    void go_takes_over_and_releases_and_we_restore_at_our_next_hold() throws Exception {
        shared(900);
        weAreKilled();
        time.advance(MINUTE);
        assertThat(go.lock()).isTrue();
        go.unlock();

        successor.tryAcquire().orElseThrow().close();

        assertThatOthersFind(900);
    }

    @Test
    void a_chain_of_killed_processes_loses_nothing() {
        shared(900);
        for (int i = 0; i < 5; i++) {
            MemoryLease.Link killed = memory.new Link();
            LeaseResourceLock one = new LeaseResourceLock(
                    killed, "p" + i, ResourceLockSettings.DEFAULT.withLeaseDuration(Duration.ofSeconds(60 + i)), time);
            if (i > 0) {
                assertThat(one.tryAcquire())
                        .as("the last one may still be alive")
                        .isEmpty();
                time.advance(Duration.ofSeconds(70));
            }
            assertThat(one.tryAcquire()).isPresent();
            killed.cut = true;
            time.advance(Duration.ofSeconds(70));
        }

        assertThat(successor.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(70));
        successor.tryAcquire().orElseThrow().close();

        assertThatOthersFind(900);
    }

    @Test
    void a_duration_that_another_writer_sets_while_we_hold_is_what_others_find_afterwards() {
        shared(900);
        Hold hold = ours.tryAcquire().orElseThrow();
        memory.write(lease().edit()
                .editSpec()
                .withLeaseDurationSeconds(1_800)
                .endSpec()
                .build());

        time.advance(Duration.ofSeconds(25));
        assertThat(hold.isHeld()).isTrue();
        assertThat(seconds()).as("our renewals need this").isEqualTo(60);
        hold.close();

        assertThatOthersFind(1_800);
    }

    @Test
    void a_duration_that_another_holder_sets_for_itself_counts_and_stays() throws Exception {
        shared(900);
        weAreKilled();
        time.advance(MINUTE);
        assertThat(go.lock()).isTrue();
        memory.write(lease().edit()
                .editSpec()
                .withLeaseDurationSeconds(3_600)
                .endSpec()
                .build());

        assertThat(successor.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(3_599));
        assertThat(successor.tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        successor.tryAcquire().orElseThrow().close();

        assertThatOthersFind(3_600);
    }

    @Test
    void an_annotation_that_is_edited_while_we_hold_does_not_end_the_hold() {
        shared(900);
        Hold hold = ours.tryAcquire().orElseThrow();
        memory.write(LeaseEdits.annotated(lease(), "touched", "yes"));

        time.advance(Duration.ofSeconds(30));
        assertThat(hold.isHeld()).isTrue();
        hold.close();

        assertThatOthersFind(900);
        assertThat(GoProvider.annotations(lease())).containsEntry("touched", "yes");
    }

    enum BadAnnotation {
        EMPTY(""),
        WORDS("nonsense"),
        NEGATIVE_WRITTEN("found=900 written=-60 by=x"),
        TOO_LARGE("found=99999999999 written=60 by=x"),
        NO_HOLDER("found=900 written=60 by="),
        OTHER_DURATION("found=900 written=61 by=x");

        private final String text;

        BadAnnotation(String text) {
            this.text = text;
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_record_that_is_not_ours_to_read_is_ignored(BadAnnotation bad) {
        shared(60);
        memory.write(LeaseEdits.annotated(lease(), ReplacedDuration.ANNOTATION, bad.text));

        ours.tryAcquire().orElseThrow().close();

        assertThatOthersFind(60);
    }

    @ParameterizedTest
    @ValueSource(ints = {2_147_483_647, 2_147_483_646, 0, -1, -2_147_483_648})
    void the_transitions_never_overflow(int transitions) {
        shared(900);
        memory.write(lease().edit()
                .editSpec()
                .withLeaseTransitions(transitions)
                .endSpec()
                .build());

        assertThat(ours.tryAcquire()).isPresent();

        int expected = (int) Math.min(Integer.MAX_VALUE, Math.max(0L, transitions) + 1L);
        assertThat(lease().getSpec().getLeaseTransitions()).isEqualTo(expected);
    }

    /** In whatever order they take over, the last release leaves what was there at first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "killed killed go held", "killed go killed held", "go killed held killed", "held killed go go",
                "killed held go killed", "go go killed killed", "held go killed go", "killed go go killed"
            })
    void in_every_order_of_kills_and_holds_the_duration_is_restored(String order) throws Exception {
        shared(900);
        for (String step : order.split(" ")) {
            switch (step) {
                case "killed" -> { // and then Go, which has taken over
                    MemoryLease.Link killed = memory.new Link();
                    acquired(new LeaseResourceLock(killed, "killed", ResourceLockSettings.DEFAULT, time));
                    killed.cut = true;
                    time.advance(Duration.ofSeconds(61));
                    assertThat(go.lock()).isTrue();
                }
                case "held" -> acquired(successor).close();
                default -> {
                    assertThat(go.lock()).isTrue();
                    time.advance(MINUTE);
                    go.unlock();
                }
            }
        }
        acquired(ours).close();
        assertThatOthersFind(900);
    }

    private Hold acquired(LeaseResourceLock lock) {
        for (int minutes = 0; minutes < 20; minutes++) {
            Hold hold = lock.tryAcquire().orElse(null);
            if (hold != null) {
                return hold;
            }
            time.advance(MINUTE);
        }
        throw new AssertionError("not free after 20 minutes");
    }

    @Test
    void an_acquisition_whose_answer_was_lost_is_released_if_it_is_not_taken_up() throws Exception {
        // given
        shared(900);
        link.answersLost = true;
        assertThat(ours.tryAcquire()).isEmpty();
        assertThat(memory.holder()).isEqualTo("ours");
        // when
        link.answersLost = false;
        time.advance(Duration.ofSeconds(3));
        // then
        assertThat(memory.holder()).isNull();
        assertThatOthersFind(900);
        assertThat(go.lock()).isTrue();
    }

    @Test
    void an_acquisition_that_arrives_after_its_timeout_is_released_too() {
        // given
        shared(900);
        link.beforeUpdate = () -> {
            link.beforeUpdate = () -> {};
            throw new IllegalStateException("timed out");
        };
        assertThat(ours.tryAcquire()).isEmpty();
        Lease late = ReplacedDuration.replacing(
                lease(), LeaseEdits.taken(lease(), "ours", MINUTE, time.instant()), MINUTE, "ours");
        time.advance(Duration.ofSeconds(5));
        // when
        memory.write(late);
        time.advance(Duration.ofSeconds(10));
        // then
        assertThat(memory.holder()).isNull();
        assertThatOthersFind(900);
        // and nothing more is asked
        int asked = link.requests;
        time.advance(MINUTE.multipliedBy(5));
        assertThat(link.requests).isEqualTo(asked);
    }

    @Test
    void a_lock_that_is_acquired_after_a_lost_answer_stays_ours() {
        // given
        shared(900);
        link.answersLost = true;
        assertThat(ours.tryAcquire()).isEmpty();
        link.answersLost = false;
        // when
        time.advance(Duration.ofSeconds(1));
        Hold hold = ours.tryAcquire().orElseThrow();
        time.advance(Duration.ofSeconds(30));
        // then
        assertThat(hold.isHeld()).isTrue();
        hold.close();
        assertThatOthersFind(900);
    }

    @Test
    void a_refused_acquisition_is_looked_at_no_longer_than_a_hold_lasts() {
        // given
        shared(900);
        link.beforeUpdate = () -> {
            throw new IllegalStateException("forbidden");
        };
        for (int i = 0; i < 20; i++) {
            assertThat(ours.tryAcquire()).isEmpty();
            time.advance(Duration.ofSeconds(5));
        }
        assertThat(link.requests).isLessThan(60);
        // when
        time.advance(MINUTE.multipliedBy(2));
        int asked = link.requests;
        // then
        time.advance(MINUTE.multipliedBy(5));
        assertThat(link.requests).isEqualTo(asked);
    }

    @Test
    void a_renewal_whose_answer_was_lost_is_still_ours_after_a_long_outage() {
        // given
        shared(900);
        Hold hold = ours.tryAcquire().orElseThrow();
        time.advance(Duration.ofSeconds(9));
        link.answersLost = true;
        time.advance(Duration.ofSeconds(1));
        // when
        link.answersLost = false;
        link.cut = true;
        time.advance(Duration.ofSeconds(45));
        hold.close();
        link.cut = false;
        time.advance(Duration.ofSeconds(5));
        // then
        assertThat(memory.holder()).isNull();
        assertThatOthersFind(900);
    }
}
