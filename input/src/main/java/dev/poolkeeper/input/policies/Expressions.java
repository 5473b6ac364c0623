package dev.poolkeeper.input.policies;

import dev.poolkeeper.input.JsonObject;
import org.jspecify.annotations.Nullable;

/** Reads the regular expressions of one manifest, and limits what all of them take together. Used by one thread. */
final class Expressions {

    /** In instructions of all programs: every request may have to be matched with each of them. */
    static final int LARGEST_SUM = 20_000;

    private int sum;

    /** A regular expression, or null if it is invalid or one too many; then there is a fault. */
    @Nullable
    RegularExpression read(JsonObject object, String field, String regex) {
        try {
            RegularExpression expression = new RegularExpression(regex);
            sum += expression.size();
            if (sum <= LARGEST_SUM) {
                return expression;
            }
            object.fault(
                    field,
                    "the regular expressions of the manifest compile to more than " + LARGEST_SUM
                            + " instructions up to this one, must be fewer or simpler");
        } catch (IllegalArgumentException e) {
            object.fault(field, "found \"" + regex + "\", must be a regular expression of RE2: " + e.getMessage());
        }
        return null;
    }
}
