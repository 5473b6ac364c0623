package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.ArmAnswer;
import dev.poolkeeper.azure.http.ArmErrorBody;
import dev.poolkeeper.azure.http.UnfitAnswerException;
import java.util.Locale;
import java.util.Map;

/** The state of a long-running operation, as one answer gives it. */
sealed interface OperationState {

    record Running() implements OperationState {}

    record Succeeded() implements OperationState {}

    /** It failed; the HTTP status of the answer is 200, so ARM's code says what that means. */
    record Failed(ArmErrorBody error) implements OperationState {}

    /** It was cancelled, mostly because another one superseded it. */
    record Canceled(ArmErrorBody error) implements OperationState {}

    /** By a status document. */
    static OperationState ofDocument(ArmAnswer answer) throws UnfitAnswerException {
        Map<?, ?> document = answer.json();
        if (!(document.get("status") instanceof String status) || status.isBlank()) {
            throw new UnfitAnswerException("the operation's state names no status");
        }
        return of(status, document);
    }

    /** By the resource itself: its {@code provisioningState}; none means that there is nothing to wait for. */
    static OperationState ofResource(ArmAnswer answer) throws UnfitAnswerException {
        Map<?, ?> resource = answer.json();
        return resource.get("properties") instanceof Map<?, ?> properties
                        && properties.get("provisioningState") instanceof String state
                ? of(state, resource)
                : new Succeeded();
    }

    /** By the status of an operation's result: 202 until it is there. */
    static OperationState ofLocation(ArmAnswer answer) {
        return answer.status() == 202 ? new Running() : new Succeeded();
    }

    private static OperationState of(String status, Map<?, ?> body) {
        ArmErrorBody error =
                body.get("error") == null && body.get("Error") == null ? ArmErrorBody.NONE : ArmErrorBody.of(body);
        return switch (status.toLowerCase(Locale.ROOT)) {
            case "succeeded" -> new Succeeded();
            case "failed" -> new Failed(error);
            case "canceled", "cancelled" -> new Canceled(error);
            default -> new Running();
        };
    }
}
