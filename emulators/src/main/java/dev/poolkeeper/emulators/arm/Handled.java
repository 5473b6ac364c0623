package dev.poolkeeper.emulators.arm;

import org.jspecify.annotations.Nullable;

/**
 * An answer, and the long-running operation that it started or is about.
 *
 * @param answer what is sent
 * @param operation the operation, null where there is none
 */
record Handled(SentAnswer answer, @Nullable RememberedOperation operation) {

    static Handled of(SentAnswer answer) {
        return new Handled(answer, null);
    }

    static Handled of(SentAnswer answer, RememberedOperation operation) {
        return new Handled(answer, operation);
    }
}
