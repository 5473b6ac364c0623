package dev.poolkeeper.app.wiring;

import dev.poolkeeper.ports.ResourceLock;
import java.util.Optional;

/** Always to be had: for a dry run, which keeps nobody from writing. */
final class NoLock implements ResourceLock {

    @Override
    public Optional<Hold> tryAcquire() {
        return Optional.of(new Hold() {
            @Override
            public boolean isHeld() {
                return true;
            }

            @Override
            public void close() {}
        });
    }
}
