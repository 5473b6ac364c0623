package dev.poolkeeper.ports.retry;

/**
 * A rule that a policy breaks, for the person who wrote the policy.
 *
 * @param field the field, as in {@code retryConstraint.budget.percent}
 * @param value what was found there
 * @param rule what is allowed
 */
public record PolicyFault(String field, String value, String rule) {

    /** What was found and what is allowed, without the field. */
    public String problem() {
        return "found " + value + ", " + rule;
    }

    /** One line: {@code field: found value, rule}. */
    @Override
    public String toString() {
        return field + ": " + problem();
    }
}
