package dev.poolkeeper.simulation.invariant;

/**
 * A violation of an invariant.
 *
 * @param invariant the name of the invariant
 * @param promise its condition
 * @param atMillis the time
 * @param story a description of what happened
 */
public record Violation(String invariant, String promise, long atMillis, String story) {

    @Override
    public String toString() {
        return "%s at %.3f s: %s%n  promised: %s".formatted(invariant, atMillis / 1000.0, story, promise);
    }
}
