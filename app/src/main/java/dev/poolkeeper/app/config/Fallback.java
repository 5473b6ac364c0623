package dev.poolkeeper.app.config;

import java.util.function.Function;

/**
 * The default of a key.
 *
 * @param words the default as the documentation puts it
 * @param value computes the default; may read keys that are declared earlier
 */
record Fallback<T>(String words, Function<Settings, Setting<T>> value) {}
