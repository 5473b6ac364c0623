package dev.poolkeeper.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ResourceLockContract;
import dev.poolkeeper.ports.ResourceLock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeResourceLockTest implements ResourceLockContract {

    private final FakeResourceLock lock = new FakeResourceLock();

    @Override
    public ResourceLock lock() {
        return lock;
    }

    @Override
    public void takenByAnother() {
        lock.takeAway();
    }

    @Override
    public void givenBackByAnother() {
        lock.release();
    }

    @Test
    void a_window_begins_at_its_first_instant_and_ends_before_its_last() {
        FakeTime clock = new FakeTime(Instant.EPOCH);
        FakeResourceLock windowed = new FakeResourceLock(
                clock, List.of(new FakeResourceLock.Window(Instant.ofEpochSecond(10), Instant.ofEpochSecond(20))));

        assertThat(windowed.tryAcquire()).hasValueSatisfying(ResourceLock.Hold::close);
        clock.advance(Duration.ofSeconds(10));
        assertThat(windowed.tryAcquire()).isEmpty();
        clock.advance(Duration.ofMillis(9_999));
        assertThat(windowed.tryAcquire()).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(windowed.tryAcquire()).isPresent();
    }
}
