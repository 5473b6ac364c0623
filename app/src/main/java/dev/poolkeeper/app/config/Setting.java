package dev.poolkeeper.app.config;

import org.jspecify.annotations.Nullable;

/**
 * What takes effect for a key.
 *
 * @param value the value; null: there is none
 * @param origin where it comes from
 */
record Setting<T>(@Nullable T value, String origin) {

    private static final String BY_DEFAULT = "default";

    /** What takes effect where nothing is said. */
    static <T> Setting<T> byDefault(@Nullable T value) {
        return new Setting<>(value, BY_DEFAULT);
    }
}
