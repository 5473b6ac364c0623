package dev.poolkeeper.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.ResourceLock;
import org.junit.jupiter.api.Test;

/** The contract of {@link ResourceLock}. */
public interface ResourceLockContract {

    /** The lock under test, which is free. */
    ResourceLock lock();

    /** Lets another writer take the lock, even if it is held. */
    void takenByAnother();

    /** Lets the other writer release it. */
    void givenBackByAnother();

    @Test
    default void a_free_lock_is_acquired_and_held_until_it_is_closed() {
        ResourceLock.Hold hold = lock().tryAcquire().orElseThrow();

        assertThat(hold.isHeld()).isTrue();
        hold.close();
        assertThat(hold.isHeld()).isFalse();
    }

    @Test
    default void a_released_lock_can_be_acquired_again() {
        lock().tryAcquire().orElseThrow().close();

        assertThat(lock().tryAcquire()).isPresent();
    }

    @Test
    default void a_lock_held_by_another_writer_is_refused_at_once() {
        takenByAnother();

        assertThat(lock().tryAcquire()).isEmpty();
    }

    @Test
    default void a_lock_released_by_another_writer_can_be_acquired() {
        takenByAnother();
        givenBackByAnother();

        assertThat(lock().tryAcquire()).isPresent();
    }

    @Test
    default void a_lost_lock_is_noticed_by_its_holder() {
        ResourceLock.Hold hold = lock().tryAcquire().orElseThrow();

        takenByAnother();

        assertThat(hold.isHeld()).isFalse();
    }

    @Test
    default void closing_a_lost_hold_leaves_the_other_holder_alone() {
        ResourceLock.Hold hold = lock().tryAcquire().orElseThrow();
        takenByAnother();

        hold.close();

        assertThat(lock().tryAcquire()).isEmpty();
    }

    @Test
    default void closing_twice_is_harmless() {
        ResourceLock.Hold first = lock().tryAcquire().orElseThrow();
        first.close();
        ResourceLock.Hold second = lock().tryAcquire().orElseThrow();

        first.close();

        assertThat(second.isHeld()).isTrue();
    }
}
