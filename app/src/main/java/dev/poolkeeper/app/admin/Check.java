package dev.poolkeeper.app.admin;

import org.jspecify.annotations.Nullable;

/**
 * One thing that {@code /livez} or {@code /readyz} looks at.
 *
 * @param name in lower case with dashes
 * @param fault what is wrong, one line; null where nothing is
 */
public record Check(String name, @Nullable String fault) {

    /** Nothing is wrong. */
    public boolean passes() {
        return fault == null;
    }

    /** Whether it holds, and if not, why. */
    public static Check of(String name, boolean holds, String fault) {
        return new Check(name, holds ? null : fault);
    }
}
