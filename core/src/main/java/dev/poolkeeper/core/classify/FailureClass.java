package dev.poolkeeper.core.classify;

import dev.poolkeeper.ports.Failure;

/** How the updater treats a failure (design document, <em>Error Classification</em>). */
public enum FailureClass {
    /** The target no longer exists; the operation is dropped silently. */
    STALE,
    /** The same request may work at a later tick, after a fresh read. */
    RETRIABLE,
    /** The same request will not work, or its in-call retries are exhausted. */
    TERMINAL;

    /**
     * The class of a failure. A cancellation gets here only if the updater is not shutting down: a deadline of the call
     * or tick passed, and the next tick may succeed.
     */
    public static FailureClass of(Failure failure) {
        return switch (failure) {
            case Failure.NotFound notFound -> notFound.isAbsence() ? STALE : RETRIABLE;
            case Failure.Throttled throttled -> RETRIABLE;
            case Failure.Conflict conflict -> RETRIABLE;
            case Failure.PreconditionFailed preconditionFailed -> RETRIABLE;
            case Failure.HttpError httpError -> TERMINAL;
            case Failure.Cancelled cancelled -> RETRIABLE;
            case Failure.Other other -> other.retriable() ? RETRIABLE : TERMINAL;
        };
    }
}
