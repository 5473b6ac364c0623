package dev.poolkeeper.azure;

import org.jspecify.annotations.Nullable;

/**
 * A successful answer and what the SDK made of it.
 *
 * @param answer the answer
 * @param value what the SDK read; null where it read nothing
 * @param error why it read nothing; null where it does not say
 */
record Answered<T>(
        ArmAnswer answer, @Nullable T value, @Nullable Throwable error) {}
