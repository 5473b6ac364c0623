package dev.poolkeeper.simulation.invariant;

/**
 * Something that must not happen, and did.
 *
 * @param invariant the name of what was broken
 * @param promise what it says
 * @param atMillis when
 * @param story what happened
 */
public record Violation(String invariant, String promise, long atMillis, String story) {

    @Override
    public String toString() {
        return "%s at %.3f s: %s%n  promised: %s".formatted(invariant, atMillis / 1000.0, story, promise);
    }
}
