package dev.poolkeeper.app.config;

import org.jspecify.annotations.Nullable;

/**
 * The effective value of a key.
 *
 * @param value the value; null for none
 * @param origin its source
 */
record Setting<T>(@Nullable T value, String origin) {

    private static final String BY_DEFAULT = "default";

    /** The effective value of a key that is not set. */
    static <T> Setting<T> byDefault(@Nullable T value) {
        return new Setting<>(value, BY_DEFAULT);
    }
}
