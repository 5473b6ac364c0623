package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Delays removals for a while, so that a wave of them is detected before it proceeds pool by pool. Guarded by the
 * brake.
 */
final class RemovalWaves {

    private record Wave(PoolAddresses members, Instant until) {}

    private final Duration wait;
    private final List<Wave> waves = new ArrayList<>();

    /** @param wait how long removals wait; zero for no wait */
    RemovalWaves(Duration wait) {
        this.wait = wait;
    }

    boolean areOn() {
        return !wait.isZero();
    }

    /** These start to wait now. */
    void gather(PoolAddresses removals, Instant now) {
        if (!removals.isEmpty()) {
            waves.add(new Wave(removals, now.plus(wait)));
        }
    }

    /** The addresses of this pool that wait or have waited. */
    AddressSet of(PoolKey pool) {
        AddressSet all = AddressSet.empty();
        for (Wave wave : waves) {
            all = all.union(wave.members().of(pool));
        }
        return all;
    }

    /** Forgets addresses that are no longer to be removed. */
    void retainAll(PoolAddresses wanted) {
        waves.forEach(wave -> wave.members().retainAll(wanted));
        waves.removeIf(wave -> wave.members().isEmpty());
    }

    void remove(PoolKey pool, AddressSet addresses) {
        waves.forEach(wave -> wave.members().remove(pool, addresses));
    }

    /** The addresses of this pool that wait. */
    AddressSet waitingIn(PoolKey pool, Instant now) {
        AddressSet waiting = AddressSet.empty();
        for (Wave wave : waves) {
            if (wave.until().isAfter(now)) {
                waiting = waiting.union(wave.members().of(pool));
            }
        }
        return waiting;
    }

    /** When the last wait in this pool ends; empty if no address waits. */
    Optional<Instant> until(PoolKey pool, Instant now) {
        return waves.stream()
                .filter(wave -> wave.until().isAfter(now))
                .filter(wave -> !wave.members().of(pool).isEmpty())
                .map(Wave::until)
                .max(Instant::compareTo);
    }
}
