package dev.poolkeeper.emulators.arm;

import java.util.SplittableRandom;
import java.util.UUID;

/** Generates unique ids, the same in every run. Thread-safe. */
final class Ids {

    private final SplittableRandom chance = new SplittableRandom(0x0a12e); // a fixed seed makes runs reproducible

    synchronized String next() {
        long high = chance.nextLong() & ~0xf000L | 0x4000L; // version 4
        long low = chance.nextLong() & ~(3L << 62) | 2L << 62; // variant of RFC 9562
        return new UUID(high, low).toString();
    }
}
