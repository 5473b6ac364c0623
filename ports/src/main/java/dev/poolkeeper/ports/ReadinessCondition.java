package dev.poolkeeper.ports;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * The condition of type {@link PodState#GATE} in a Pod's status.
 *
 * @param met whether its status is True; else False
 * @param reason one word for programs
 * @param message one sentence for people
 * @param since its {@code lastTransitionTime}: when the status was last another one, in whole seconds
 */
public record ReadinessCondition(boolean met, String reason, String message, Instant since) {

    public ReadinessCondition {
        requireNonNull(reason, "reason");
        requireNonNull(message, "message");
        requireNonNull(since, "since");
    }

    /** Whether it says the same as another, whenever that began. */
    public boolean saysTheSameAs(ReadinessCondition other) {
        return met == other.met && reason.equals(other.reason) && message.equals(other.message);
    }
}
