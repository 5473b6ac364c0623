package dev.poolkeeper.ports;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * The condition of type {@link PodState#GATE} in a Pod's status.
 *
 * @param met whether its status is True rather than False
 * @param reason one word for programs
 * @param message one sentence for people
 * @param since its {@code lastTransitionTime}: when the status last changed, in whole seconds
 */
public record ReadinessCondition(boolean met, String reason, String message, Instant since) {

    public ReadinessCondition {
        requireNonNull(reason, "reason");
        requireNonNull(message, "message");
        requireNonNull(since, "since");
    }

    /** Whether status, reason and message equal those of another condition, regardless of {@code since}. */
    public boolean hasSameContentAs(ReadinessCondition other) {
        return met == other.met && reason.equals(other.reason) && message.equals(other.message);
    }
}
