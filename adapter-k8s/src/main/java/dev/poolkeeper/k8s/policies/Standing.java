package dev.poolkeeper.k8s.policies;

import java.util.List;

/**
 * How an object fares, as its status says it. Immutable.
 *
 * @param object which one
 * @param conditions what holds of it; none for one that is not about calls to ARM
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
     * @param holds whether it is {@code True}; else it is {@code False}
     * @param reason such as {@code Conflicted}
     * @param message for people
     */
    public record Condition(String type, boolean holds, String reason, String message) {}

    /** Whether it is obeyed as it is now. */
    public boolean isAccepted() {
        return conditions.stream()
                .filter(condition -> condition.type().equals(ACCEPTED))
                .allMatch(Condition::holds);
    }
}
