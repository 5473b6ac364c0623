package dev.poolkeeper.simulation.arm;

/**
 * Bugs that can be planted into the way to ARM, to see that they are caught.
 *
 * @param writesUnconditionally sends no {@code If-Match}
 * @param forgetsEntries names entries anew that are there already
 * @param ignoresGate sends on after a 429 and forgets its {@code Retry-After}
 */
public record ArmFlaws(boolean writesUnconditionally, boolean forgetsEntries, boolean ignoresGate) {

    /** As it should be. */
    public static final ArmFlaws NONE = new ArmFlaws(false, false, false);
}
