package dev.poolkeeper.app.admin;

import org.jspecify.annotations.Nullable;

/**
 * One check of {@code /livez} or {@code /readyz}.
 *
 * @param name in lower case with dashes
 * @param fault what is wrong, one line; null if the check passes
 */
public record Check(String name, @Nullable String fault) {

    /** Whether nothing is wrong. */
    public boolean passes() {
        return fault == null;
    }

    /** A check with this result; the fault is used only if it does not hold. */
    public static Check of(String name, boolean holds, String fault) {
        return new Check(name, holds ? null : fault);
    }
}
