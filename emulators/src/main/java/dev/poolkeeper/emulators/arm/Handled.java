package dev.poolkeeper.emulators.arm;

import org.jspecify.annotations.Nullable;

/**
 * A response and its long-running operation.
 *
 * @param answer the response
 * @param operation the operation that it started or reports; null if none
 */
record Handled(SentAnswer answer, @Nullable RememberedOperation operation) {

    static Handled of(SentAnswer answer) {
        return new Handled(answer, null);
    }

    static Handled of(SentAnswer answer, RememberedOperation operation) {
        return new Handled(answer, operation);
    }
}
