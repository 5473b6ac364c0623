package dev.poolkeeper.core.plan;

import dev.poolkeeper.ports.Failure;

/** What a failure means to the updater (design document, <em>Error Classification</em>). */
public enum FailureClass {
    /** The world moved on; dropping quietly is right. */
    STALE,
    /** The same request may work at a later tick, after a fresh read. */
    RETRIABLE,
    /** The same request will not work, or its retries inside the call are used up. */
    TERMINAL;

    /**
     * The class of a failure. A cancellation reaches this table only where the updater is not shutting down: then a
     * deadline of the call or tick passed, and the next tick may have more luck.
     */
    public static FailureClass of(Failure failure) {
        return switch (failure) {
            case Failure.NotFound notFound -> STALE;
            case Failure.Throttled throttled -> RETRIABLE;
            case Failure.Conflict conflict -> RETRIABLE;
            case Failure.PreconditionFailed preconditionFailed -> RETRIABLE;
            case Failure.HttpError httpError -> TERMINAL;
            case Failure.Cancelled cancelled -> RETRIABLE;
            case Failure.Other other -> other.retriable() ? RETRIABLE : TERMINAL;
        };
    }
}
