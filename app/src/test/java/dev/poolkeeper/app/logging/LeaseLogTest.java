package dev.poolkeeper.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.LeaderElection;
import dev.poolkeeper.k8s.lease.LeadershipListener;
import dev.poolkeeper.k8s.lease.LeaseResourceLock;
import dev.poolkeeper.k8s.lease.LeaseStore;
import dev.poolkeeper.k8s.lease.LeaseStoreException;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.ports.ResourceLock.Hold;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What leader election and the resource lock log: each trouble once, again after it has ended, and its end. */
class LeaseLogTest {

    private final FakeTime time = new FakeTime();
    private final Store store = new Store();
    private boolean isFit = true;
    private final LeaderElection election =
            new LeaderElection(store, "us", ElectionSettings.DEFAULT, time, LeadershipListener.NONE, () -> isFit);
    private final LeaseResourceLock lock =
            new LeaseResourceLock(store, "us", ResourceLockSettings.DEFAULT, time, () -> isFit);

    @RegisterExtension
    final Logged logged = new Logged("dev.poolkeeper.k8s.lease", Level.DEBUG);

    /** A Lease in memory. */
    private static final class Store implements LeaseStore {
        private @Nullable Lease lease;
        private int version;
        /** What each request fails with; null for none. */
        private @Nullable String failure;

        private void check() throws LeaseStoreException {
            if (failure != null) {
                throw new LeaseStoreException(failure, false, null);
            }
        }

        Lease write(Lease next) {
            lease = next.edit()
                    .editOrNewMetadata()
                    .withResourceVersion(Integer.toString(++version))
                    .endMetadata()
                    .build();
            return lease;
        }

        void heldBy(@Nullable String holder) {
            write(new LeaseBuilder()
                    .withNewSpec()
                    .withHolderIdentity(holder)
                    .withLeaseDurationSeconds(120)
                    .withAcquireTime(ZonedDateTime.parse("2026-03-01T11:58:00Z"))
                    .endSpec()
                    .build());
        }

        @Override
        public Optional<Lease> get() throws LeaseStoreException {
            check();
            return Optional.ofNullable(lease);
        }

        @Override
        public Lease create(Lease next) throws LeaseStoreException {
            check();
            return write(next);
        }

        @Override
        public Lease update(Lease next) throws LeaseStoreException {
            check();
            if (lease == null
                    || !lease.getMetadata()
                            .getResourceVersion()
                            .equals(next.getMetadata().getResourceVersion())) {
                throw new LeaseStoreException("changed", true, null);
            }
            return write(next);
        }
    }

    /** Those since the last call. */
    private List<String> lines() {
        List<String> lines =
                List.copyOf(logged.list).stream().map(LeaseLogTest::text).toList();
        logged.list.clear();
        return lines;
    }

    private static String text(ILoggingEvent line) {
        String pairs = Stream.ofNullable(line.getKeyValuePairs())
                .flatMap(List::stream)
                .map(pair -> " " + pair.key + "=" + pair.value)
                .collect(Collectors.joining());
        return line.getLevel() + " " + line.getMessage() + pairs;
    }

    private List<String> linesAfter(int seconds, @Nullable String failure) {
        store.failure = failure;
        time.advance(Duration.ofSeconds(seconds));
        return lines();
    }

    private List<String> linesOfAnAttempt(@Nullable String failure) {
        store.failure = failure;
        lock.tryAcquire().ifPresent(Hold::close);
        return lines();
    }

    private void lead() {
        time.willDraw(0);
        election.start();
        time.runDue();
    }

    @Test
    void the_election_logs_each_trouble_with_its_lease_once_and_its_end() {
        lead();
        assertThat(lines()).containsExactly("INFO Became leader identity=us");
        assertThat(linesAfter(2, "down"))
                .containsExactly(
                        "WARN Leader election cannot use its Lease error=down" + " nextAttempt=2026-03-01T12:00:04Z");
        assertThat(linesAfter(2, "down")).isEmpty();
        assertThat(linesAfter(2, "gone"))
                .containsExactly(
                        "WARN Leader election cannot use its Lease error=gone" + " nextAttempt=2026-03-01T12:00:08Z");
        assertThat(linesAfter(2, null)).containsExactly("INFO Leader election can use its Lease again");
        assertThat(linesAfter(2, null)).isEmpty();
        assertThat(linesAfter(2, "gone"))
                .containsExactly(
                        "WARN Leader election cannot use its Lease error=gone" + " nextAttempt=2026-03-01T12:00:14Z");
        assertThat(linesAfter(20, "gone"))
                .containsExactly("WARN Lost leadership reason=the Lease was not renewed in time");
        assertThat(linesAfter(2, null))
                .containsExactlyInAnyOrder(
                        "INFO Leader election can use its Lease again", "INFO Became leader identity=us");
    }

    private enum End {
        DELETED("the Lease was deleted") {
            @Override
            void befall(LeaseLogTest test) {
                test.store.lease = null;
            }
        },
        TAKEN("another replica took the Lease") {
            @Override
            void befall(LeaseLogTest test) {
                test.store.heldBy("another");
            }
        },
        STUCK("this process is stuck") {
            @Override
            void befall(LeaseLogTest test) {
                test.isFit = false;
            }
        };

        private final String reason;

        End(String reason) {
            this.reason = reason;
        }

        abstract void befall(LeaseLogTest test);
    }

    @ParameterizedTest
    @EnumSource
    void the_end_of_a_term_is_logged_once_with_its_reason(End end) {
        lead();

        end.befall(this);

        assertThat(linesAfter(60, null))
                .filteredOn(line -> line.startsWith("WARN"))
                .containsExactly("WARN Lost leadership reason=" + end.reason);
    }

    @Test
    void a_release_of_leadership_is_logged_only_if_it_fails() {
        lead();
        lines();
        store.failure = "down";
        election.release();
        assertThat(lines()).containsExactly("WARN Leadership could not be released; it will expire error=down");

        assertThat(linesAfter(60, null)).isEmpty();
    }

    @Test
    void another_holder_of_the_lock_is_logged_once_and_again_after_a_hold_of_ours() {
        String held = "DEBUG Resource lock held by another writer holder=%s acquired=2026-03-01T11:58:00Z"
                + " expires=2026-03-01T12:02:00Z";
        store.heldBy("one");
        assertThat(linesOfAnAttempt(null)).containsExactly(held.formatted("one"));
        assertThat(linesOfAnAttempt(null)).isEmpty();
        store.heldBy("two");
        assertThat(linesOfAnAttempt(null)).containsExactly(held.formatted("two"));
        store.heldBy(null);
        assertThat(linesOfAnAttempt(null)).containsExactly("DEBUG Resource lock acquired previousHolder=two");
        assertThat(linesOfAnAttempt(null)).isEmpty();
        store.heldBy("two");
        assertThat(linesOfAnAttempt(null)).containsExactly(held.formatted("two"));
    }

    @Test
    void a_failed_attempt_to_acquire_the_lock_is_logged_once_for_each_cause_and_again_after_its_end() {
        String failed = "WARN Resource lock could not be acquired; asking again later error=";
        assertThat(linesOfAnAttempt("down")).containsExactly(failed + "down");
        assertThat(linesOfAnAttempt("down")).isEmpty();
        assertThat(linesOfAnAttempt("gone")).containsExactly(failed + "gone");
        assertThat(linesOfAnAttempt(null))
                .containsExactly("INFO Lease of the resource lock can be read and written again");
        assertThat(linesOfAnAttempt(null)).isEmpty();
        assertThat(linesOfAnAttempt("gone")).containsExactly(failed + "gone");
    }

    @Test
    void a_lease_that_names_us_without_a_hold_is_logged_once() {
        store.heldBy("us");

        assertThat(linesOfAnAttempt(null))
                .containsExactly("WARN Lease of the resource lock names this process, which does not hold it: it was"
                        + " edited, or created again. It is acquired when it expires"
                        + " expires=2026-03-01T12:02:00Z");
        assertThat(linesOfAnAttempt(null)).isEmpty();
    }

    @Test
    void each_failed_renewal_of_the_lock_is_logged_and_its_loss_once() {
        assertThat(lock.tryAcquire()).isPresent();
        String failed = "WARN Resource lock could not be renewed error=";
        assertThat(linesAfter(10, "down")).containsExactly(failed + "down");
        assertThat(linesAfter(2, "down")).containsExactly(failed + "down");
        assertThat(linesAfter(12, null)).isEmpty();

        store.heldBy("another");

        assertThat(linesAfter(60, null))
                .containsExactly(
                        failed + "changed",
                        "WARN Resource lock lost: its Lease was deleted or taken by another holder");
    }

    @Test
    void a_release_of_the_lock_that_fails_until_it_has_expired_is_a_warning_once() {
        Hold hold = lock.tryAcquire().orElseThrow();
        store.failure = "down";
        hold.close();
        assertThat(linesAfter(59, "down"))
                .hasSize(30)
                .containsOnly("DEBUG Resource lock could not be released yet error=down");

        assertThat(linesAfter(600, "down"))
                .hasSize(300)
                .filteredOn(line -> line.startsWith("WARN"))
                .containsExactly("WARN Resource lock could not be released and has expired; its release is still"
                        + " retried error=down");
        assertThat(linesAfter(60, null)).isEmpty();
    }

    @Test
    void a_lock_of_a_stuck_process_that_is_no_longer_renewed_is_logged_once() {
        assertThat(lock.tryAcquire()).isPresent();
        isFit = false;

        assertThat(linesAfter(60, null))
                .containsExactly("WARN Resource lock no longer renewed, because this process is stuck; it will expire");
    }
}
