package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.ArmAnswer;
import dev.poolkeeper.azure.http.ArmCodes;
import dev.poolkeeper.azure.http.ArmErrorBody;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps ARM's errors to failures of the write of one version of a pool. Thread-safe. */
final class WriteFailures {

    private final PrivateLinkRefusals refusals;
    private final PoolKey pool;
    private final String etag;

    WriteFailures(PrivateLinkRefusals refusals, PoolKey pool, String etag) {
        this.refusals = refusals;
        this.pool = pool;
        this.etag = etag;
    }

    /** The failure of a PUT for which the status is not enough; empty otherwise. */
    Optional<Failure> ofRefusal(ArmAnswer answer) {
        ArmErrorBody body = answer.error();
        ArmError error = new ArmError(answer.status(), body.code(), body.wholeMessage(), answer.correlationId());
        return refusals.note(pool, etag, body, error);
    }

    /** The failure of a long-running operation that ended as {@code Failed}. */
    Failure ofFailed(ArmErrorBody body, @Nullable String correlationId) {
        ArmError error = new ArmError(null, body.code(), body.wholeMessage(), correlationId);
        return refusals.note(pool, etag, body, error).orElseGet(() -> switch (ArmCodes.meaning(body)) {
            case ANOTHER_OPERATION -> new Failure.Conflict(error);
            case PRECONDITION_FAILED -> new Failure.PreconditionFailed(error);
            case THROTTLED -> Failure.Throttled.byArm(null, error);
            case PASSING -> Failure.Other.retriable("the operation failed: " + error.describe());
            case FINAL -> Failure.Other.terminal("the operation failed: " + error.describe());
        });
    }

    /**
     * The failure of a long-running operation that ended as {@code Canceled}, usually because another operation
     * superseded it.
     */
    Failure ofCanceled(ArmErrorBody body, @Nullable String correlationId) {
        return new Failure.Conflict(new ArmError(
                null,
                body.code() == null ? "Canceled" : body.code(),
                body.wholeMessage() == null ? "the operation was canceled" : body.wholeMessage(),
                correlationId));
    }

    /** The failure of an accepted write whose outcome ARM could not report; the next tick's read finds it out. */
    static Failure afterAcceptance(String why) {
        return Failure.Other.retriable("the write was accepted, but its outcome is unknown: " + why);
    }

    /**
     * The failure of a PUT whose response is not a valid ARM response, so that it is unknown whether the write was
     * accepted.
     */
    static Failure ofInvalidAnswer(int status, String why) {
        return Failure.Other.retriable("the outcome of the write is unknown: its response with status %s is invalid: %s"
                .formatted(status, why));
    }
}
