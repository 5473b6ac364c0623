package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SharedLockTest {

    private boolean leader = true;
    private final FakeTime time = new FakeTime();
    private final FakeResourceLock real = new FakeResourceLock();
    private final SharedLock hold = new SharedLock(real, Term.during(() -> leader), time);

    @Test
    void the_first_lane_acquires_the_lock_and_the_last_one_releases_it() {
        assertThat(hold.join(() -> {})).isTrue();
        assertThat(hold.join(() -> {})).isTrue();
        hold.leave();
        assertThat(real.isHeld()).isTrue();
        hold.leave();
        assertThat(real.isHeld()).isFalse();
    }

    @Test
    void calls_start_only_while_this_process_leads() {
        assertThat(hold.join(() -> {})).isTrue();
        assertThat(hold.mayStart()).isTrue();
        leader = false;
        assertThat(hold.mayStart()).isFalse();
        assertThat(hold.join(() -> {})).isFalse();
        hold.leave();
        assertThat(real.isHeld()).isFalse();
    }

    @Test
    void calls_start_only_while_the_lock_is_held() {
        assertThat(hold.mayStart()).isFalse();
        assertThat(hold.join(() -> {})).isTrue();
        real.takeAway();
        assertThat(hold.mayStart()).isFalse();
        assertThat(hold.join(() -> {})).isFalse();
        hold.leave();
    }

    @Test
    void the_lock_is_not_requested_after_the_term() {
        leader = false;
        assertThat(hold.join(() -> {})).isFalse();
        assertThat(real.isHeld()).isFalse();
    }

    @Test
    void after_a_minute_no_call_starts_until_the_lock_was_free() {
        assertThat(hold.join(() -> {})).isTrue();
        time.advance(ResourceLock.MAX_HOLD.minusNanos(1));
        assertThat(hold.join(() -> {})).isTrue();
        time.advance(ResourceLock.MAX_HOLD.minusMinutes(1).plusNanos(1));
        assertThat(hold.mayStart()).isFalse();
        assertThat(hold.join(() -> {})).isFalse();
        hold.leave();
        assertThat(real.isHeld()).isTrue();
        hold.leave();
        assertThat(real.isHeld()).isFalse();

        time.advance(Duration.ofSeconds(5).minusNanos(1));
        assertThat(hold.join(() -> {})).isFalse();
        assertThat(hold.leftToOthersUntil()).contains(time.instant().plusNanos(1));
        time.advance(Duration.ofNanos(1));
        assertThat(hold.leftToOthersUntil()).isEmpty();
        assertThat(hold.join(() -> {})).isTrue();
        assertThat(hold.mayStart()).isTrue();
    }

    @Test
    void a_short_hold_leaves_others_enough_time() {
        assertThat(hold.join(() -> {})).isTrue();
        time.advance(Duration.ofSeconds(10));
        hold.leave();
        assertThat(hold.leftToOthersUntil()).isEmpty();
        assertThat(hold.join(() -> {})).isTrue();
    }
}
