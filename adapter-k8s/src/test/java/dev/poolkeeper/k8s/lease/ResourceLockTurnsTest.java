package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Other writers acquire the lock although we could use it continuously. */
class ResourceLockTurnsTest {

    private final MemoryLease memory = new MemoryLease();
    private final MemoryLease.Link link = memory.new Link();
    private final FakeTime time = new FakeTime();
    private final LeaseResourceLock lock =
            new LeaseResourceLock(link, "poolkeeper_1", ResourceLockSettings.DEFAULT, time);

    private void holdFor(Duration duration) {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        time.advance(duration);
        hold.close();
    }

    @Test
    @Rule(
            id = "L11",
            says = "After a hold of more than 10 s the resource lock stays free for at least 5 s, so that a writer"
                    + " that tries once and backs off gets its turn.",
            source = "ours",
            differs = "The Go provider holds the lock for a whole tick, however long, and takes it again at the next.")
    void after_a_long_hold_the_lock_stays_free_for_five_seconds() {
        holdFor(Duration.ofMillis(10_001));

        assertThat(memory.holder()).isNull();
        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofMillis(4_999));
        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void after_a_short_hold_it_can_be_taken_again_at_once() {
        holdFor(Duration.ofSeconds(10));

        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void another_writer_can_take_the_lock_in_that_time() {
        holdFor(Duration.ofSeconds(60));

        assertThat(new LeaseResourceLock(memory.new Link(), "other", ResourceLockSettings.DEFAULT, new FakeTime())
                        .tryAcquire())
                .isPresent();
    }

    @Test
    void the_time_counts_from_the_successful_release_not_from_the_first_attempt() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        time.advance(Duration.ofSeconds(20));
        link.cut = true;
        hold.close();
        time.advance(Duration.ofSeconds(7));
        link.cut = false;
        time.advance(Duration.ofSeconds(1)); // tried every 2 s, now for the fourth time
        assertThat(memory.holder()).isNull();

        time.advance(Duration.ofMillis(4_999));
        assertThat(lock.tryAcquire()).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void the_status_shows_when_the_turn_of_other_writers_ends() {
        holdFor(Duration.ofSeconds(11));

        assertThat(lock.status().holding()).isEmpty();
        assertThat(lock.status().availableAt()).contains(time.instant().plusSeconds(5));
        time.advance(Duration.ofSeconds(5));
        assertThat(lock.status().availableAt()).isEmpty();
    }
}
