package dev.poolkeeper.app.config;

import java.util.function.Function;

/**
 * What takes effect where a key is not set.
 *
 * @param words the default as the documentation puts it
 * @param value finds it; may ask for keys that are declared before
 */
record Fallback<T>(String words, Function<Settings, Setting<T>> value) {}
