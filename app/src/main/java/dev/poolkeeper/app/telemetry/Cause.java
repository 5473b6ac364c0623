package dev.poolkeeper.app.telemetry;

import dev.poolkeeper.ports.Failure;

/** The cause of a failure, as a label value. */
final class Cause {

    private Cause() {}

    static String of(Failure failure) {
        return switch (failure) {
            case Failure.Throttled throttled -> "throttled";
            case Failure.Conflict conflict -> "conflict";
            case Failure.PreconditionFailed changed -> "changed_meanwhile";
            case Failure.NotFound notFound -> "not_found";
            case Failure.HttpError error -> error.status() < 500 ? "client_error" : "server_error";
            case Failure.Cancelled cancelled -> "cancelled";
            case Failure.Other other -> other.retriable() ? "unanswered" : "other";
        };
    }
}
