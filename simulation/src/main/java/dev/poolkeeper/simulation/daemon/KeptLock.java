package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.ResourceLock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A planted bug: once acquired, the lock is never released. */
final class KeptLock implements ResourceLock {

    private final ResourceLock lock;
    private @Nullable Hold hold;

    KeptLock(ResourceLock lock) {
        this.lock = lock;
    }

    @Override
    public Optional<Hold> tryAcquire() {
        if (hold == null) {
            hold = lock.tryAcquire().orElse(null);
        }
        return hold == null ? Optional.empty() : NONE.tryAcquire();
    }

    @Override
    public Optional<Holder> holder() {
        return lock.holder();
    }
}
