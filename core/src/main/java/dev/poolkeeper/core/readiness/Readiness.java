package dev.poolkeeper.core.readiness;

import java.util.Arrays;
import java.util.Optional;

/**
 * The desired state of the gate's condition.
 *
 * @param reason the condition's reason
 * @param message one sentence for people, without correlation ids, so that equal states have equal texts
 */
public record Readiness(Reason reason, String message) {

    /** The reasons, each with its spelling in a condition. */
    public enum Reason {
        /** The Pod's node is in every pool of its local Services. */
        IN_POOL("InPool", true),
        /** The Pod belongs to no local Service. */
        NO_LOCAL_SERVICE("NoLocalService", true),
        /** The Pod's node is not eligible for any pool. */
        NODE_NOT_ELIGIBLE("NodeNotEligible", true),
        /** The Pod has waited too long. */
        TIMED_OUT("TimedOut", true),
        /** A pool does not hold the Pod's node yet. */
        WAITING_FOR_POOL("WaitingForPool", false),
        /** A pool does not hold the Pod's node yet, because a guard holds the update back. */
        HELD("Held", false),
        /** A pool does not hold the Pod's node yet, and the last attempt failed. */
        UPDATE_FAILED("UpdateFailed", false);

        private final String word;
        private final boolean ready;

        Reason(String word, boolean ready) {
            this.word = word;
            this.ready = ready;
        }

        /** The spelling in a condition. */
        public String word() {
            return word;
        }

        /** Whether the condition's status is True for this reason. */
        public boolean isReady() {
            return ready;
        }

        static Optional<Reason> of(String word) {
            return Arrays.stream(values())
                    .filter(reason -> reason.word.equals(word))
                    .findFirst();
        }
    }

    /** Whether the condition's status is True. */
    public boolean isReady() {
        return reason.ready;
    }
}
