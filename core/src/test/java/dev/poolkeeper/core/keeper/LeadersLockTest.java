package dev.poolkeeper.core.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.ports.ResourceLock;
import org.junit.jupiter.api.Test;

class LeadersLockTest {

    private boolean leader = true;
    private final FakeResourceLock real = new FakeResourceLock();
    private final LeadersLock lock = new LeadersLock(real, () -> leader);

    @Test
    void a_leader_holds_it_as_long_as_it_leads() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        assertThat(hold.isHeld()).isTrue();
        leader = false;
        assertThat(hold.isHeld()).isFalse();
        hold.close();
        assertThat(real.isHeld()).isFalse();
    }

    @Test
    void a_leader_that_lost_it_does_not_hold_it() {
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        real.takeAway();
        assertThat(hold.isHeld()).isFalse();
    }

    @Test
    void nobody_else_gets_it() {
        leader = false;
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(real.isHeld()).isFalse();
    }
}
