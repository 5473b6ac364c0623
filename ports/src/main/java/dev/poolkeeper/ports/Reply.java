package dev.poolkeeper.ports;

/**
 * The result of a call: a value or a failure.
 *
 * @param <T> the value's type
 */
public sealed interface Reply<T> {

    /**
     * The call succeeded.
     *
     * @param value its result
     */
    record Ok<T>(T value) implements Reply<T> {}

    /**
     * The call failed, or its outcome is unknown.
     *
     * @param failure the reason
     */
    record Failed<T>(Failure failure) implements Reply<T> {}

    static <T> Reply<T> ok(T value) {
        return new Ok<>(value);
    }

    static <T> Reply<T> failed(Failure failure) {
        return new Failed<>(failure);
    }
}
