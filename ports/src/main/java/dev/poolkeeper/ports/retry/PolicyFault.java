package dev.poolkeeper.ports.retry;

/**
 * A rule that a policy breaks, for the person who wrote the policy.
 *
 * @param field the field, such as {@code retryConstraint.budget.percent}
 * @param value the value found
 * @param rule the allowed values
 */
public record PolicyFault(String field, String value, String rule) {

    /** The value found and the allowed values, without the field. */
    public String problem() {
        return "found " + value + ", " + rule;
    }

    /** One line: {@code field: found value, rule}. */
    @Override
    public String toString() {
        return field + ": " + problem();
    }
}
