package dev.poolkeeper.core.keeper;

import dev.poolkeeper.ports.ResourceLock;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The resource lock for a leader: nobody else gets it, and who stops leading holds it no more. The tick asks before
 * every read and write, so a deposed leader starts none.
 */
final class LeadersLock implements ResourceLock {

    private final ResourceLock lock;
    private final BooleanSupplier isLeader;

    LeadersLock(ResourceLock lock, BooleanSupplier isLeader) {
        this.lock = lock;
        this.isLeader = isLeader;
    }

    @Override
    public Optional<Hold> tryAcquire() {
        return isLeader.getAsBoolean() ? lock.tryAcquire().map(LeadersHold::new) : Optional.empty();
    }

    private final class LeadersHold implements Hold {

        private final Hold hold;

        LeadersHold(Hold hold) {
            this.hold = hold;
        }

        @Override
        public boolean isHeld() {
            return isLeader.getAsBoolean() && hold.isHeld();
        }

        @Override
        public void close() {
            hold.close();
        }
    }
}
