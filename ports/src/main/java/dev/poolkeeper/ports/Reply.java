package dev.poolkeeper.ports;

/**
 * What a call came to: a value or a failure.
 *
 * @param <T> the value's type
 */
public sealed interface Reply<T> {

    /**
     * The call did what was asked.
     *
     * @param value what it gave
     */
    record Ok<T>(T value) implements Reply<T> {}

    /**
     * The call did not do what was asked, or nobody knows whether it did.
     *
     * @param failure why
     */
    record Failed<T>(Failure failure) implements Reply<T> {}

    static <T> Reply<T> ok(T value) {
        return new Ok<>(value);
    }

    static <T> Reply<T> failed(Failure failure) {
        return new Failed<>(failure);
    }
}
