package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.ArmAnswer;
import dev.poolkeeper.azure.http.ArmCodes;
import dev.poolkeeper.azure.http.ArmErrorBody;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What ARM's errors mean to the write of one version of a pool. Thread-safe. */
final class WriteFailures {

    private final PrivateLinkRefusals refusals;
    private final PoolKey pool;
    private final String etag;

    WriteFailures(PrivateLinkRefusals refusals, PoolKey pool, String etag) {
        this.refusals = refusals;
        this.pool = pool;
        this.etag = etag;
    }

    /** A refusal of the PUT that its status does not explain. */
    Optional<Failure> ofRefusal(ArmAnswer answer) {
        ArmErrorBody body = answer.error();
        ArmError error = new ArmError(answer.status(), body.code(), body.wholeMessage(), answer.correlationId());
        return refusals.note(pool, etag, body, error);
    }

    /** A long-running operation that ended as {@code Failed}. */
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

    /** A long-running operation that ended as {@code Canceled}, mostly because another one superseded it. */
    Failure ofCanceled(ArmErrorBody body, @Nullable String correlationId) {
        return new Failure.Conflict(new ArmError(
                null,
                body.code() == null ? "Canceled" : body.code(),
                body.wholeMessage() == null ? "the operation was canceled" : body.wholeMessage(),
                correlationId));
    }

    /** ARM accepted the write and then could not say what became of it: the next tick's read settles it. */
    static Failure afterAcceptance(String why) {
        return Failure.Other.retriable("the write was accepted, but its outcome is unknown: " + why);
    }

    /** The answer to the PUT is not one of ARM's, so it does not even say that the write was accepted. */
    static Failure ofUnfitAnswer(int status, String why) {
        return Failure.Other.retriable(
                "the outcome of the write is unknown: its answer of status %d is unfit: %s".formatted(status, why));
    }
}
