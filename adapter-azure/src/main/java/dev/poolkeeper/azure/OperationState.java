package dev.poolkeeper.azure;

import dev.poolkeeper.ports.Failure;
import java.util.Locale;
import java.util.Map;

/** How far a long-running operation is, as one answer tells. */
sealed interface OperationState {

    record Running() implements OperationState {}

    record Succeeded() implements OperationState {}

    record Ended(Failure failure) implements OperationState {}

    /** By a status document. */
    static OperationState ofDocument(ArmAnswer answer) throws UnfitAnswerException {
        Map<?, ?> document = Json.object(answer.body());
        if (!(document.get("status") instanceof String status) || status.isBlank()) {
            throw new UnfitAnswerException("the operation's state names no status");
        }
        return of(status, document, answer);
    }

    /** By the resource itself: its {@code provisioningState}; none means that there is nothing to wait for. */
    static OperationState ofResource(ArmAnswer answer) throws UnfitAnswerException {
        Map<?, ?> resource = Json.object(answer.body());
        return resource.get("properties") instanceof Map<?, ?> properties
                        && properties.get("provisioningState") instanceof String state
                ? of(state, resource, answer)
                : new Succeeded();
    }

    /** By the status of an operation's result: 202 until it is there. */
    static OperationState ofLocation(ArmAnswer answer) {
        return answer.status() == 202 ? new Running() : new Succeeded();
    }

    private static OperationState of(String status, Map<?, ?> body, ArmAnswer answer) {
        ArmErrorBody error =
                body.get("error") == null && body.get("Error") == null ? ArmErrorBody.NONE : ArmErrorBody.of(body);
        return switch (status.toLowerCase(Locale.ROOT)) {
            case "succeeded" -> new Succeeded();
            case "failed" -> new Ended(FailureMapping.ofFailedOperation(error, answer.correlationId()));
            case "canceled", "cancelled" ->
                new Ended(FailureMapping.ofCanceledOperation(error, answer.correlationId()));
            default -> new Running();
        };
    }

    /** Where an accepted write is followed. */
    enum Place {
        /** The status document that {@code Azure-AsyncOperation} names. */
        DOCUMENT,
        /** The result that {@code Location} names. */
        LOCATION,
        /** The resource. */
        RESOURCE
    }
}
