package dev.poolkeeper.k8s.policies;

import java.util.List;

/**
 * The conditions of an object, to be reported in its status. Immutable.
 *
 * @param object the object
 * @param conditions its conditions; none if it does not apply to calls to ARM
 */
public record Standing(PolicyObject object, List<Condition> conditions) {

    static final String ACCEPTED = "Accepted";
    static final String RESOLVED_REFS = "ResolvedRefs";

    public Standing {
        conditions = List.copyOf(conditions);
    }

    /**
     * A condition of the Gateway API.
     *
     * @param type such as {@code Accepted}
     * @param holds true for status {@code True}, false for {@code False}
     * @param reason such as {@code Conflicted}
     * @param message a readable explanation
     */
    public record Condition(String type, boolean holds, String reason, String message) {}

    /** Whether its current generation is in force. */
    public boolean isAccepted() {
        return conditions.stream()
                .filter(condition -> condition.type().equals(ACCEPTED))
                .allMatch(Condition::holds);
    }
}
