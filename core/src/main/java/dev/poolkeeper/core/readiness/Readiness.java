package dev.poolkeeper.core.readiness;

import java.util.Arrays;
import java.util.Optional;

/**
 * What the gate's condition is to say.
 *
 * @param reason why
 * @param message one sentence for people, without correlation ids, so that equal states are equal texts
 */
public record Readiness(Reason reason, String message) {

    /** Reasons, with the word that stands for each in a condition. */
    public enum Reason {
        /** Its node is in each pool of its local Services. */
        IN_POOL("InPool", true),
        /** It belongs to no local Service. */
        NO_LOCAL_SERVICE("NoLocalService", true),
        /** Its node can be in no pool. */
        NODE_NOT_ELIGIBLE("NodeNotEligible", true),
        /** It has waited for too long. */
        TIMED_OUT("TimedOut", true),
        /** A pool does not hold its node yet. */
        WAITING_FOR_POOL("WaitingForPool", false),
        /** The same, and a guard holds the update back. */
        HELD("Held", false),
        /** The same, and the last attempt failed. */
        UPDATE_FAILED("UpdateFailed", false);

        private final String word;
        private final boolean ready;

        Reason(String word, boolean ready) {
            this.word = word;
            this.ready = ready;
        }

        /** As it stands in a condition. */
        public String word() {
            return word;
        }

        /** Whether the condition's status is True with it. */
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
