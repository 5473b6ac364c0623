package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.ArmAnswer;
import dev.poolkeeper.azure.http.ArmErrorBody;
import dev.poolkeeper.azure.http.InvalidAnswerException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The state of a long-running operation according to one response. */
sealed interface OperationState {

    record Running() implements OperationState {}

    record Succeeded() implements OperationState {}

    /** It failed; the HTTP status of the response is 200, so the meaning depends on ARM's code. */
    record Failed(ArmErrorBody error) implements OperationState {}

    /** It was cancelled, usually because another operation superseded it. */
    record Canceled(ArmErrorBody error) implements OperationState {}

    /** From a status document. */
    static OperationState ofDocument(ArmAnswer answer) throws InvalidAnswerException {
        Map<?, ?> document = answer.json();
        if (!(document.get("status") instanceof String status) || status.isBlank()) {
            Optional<ArmErrorBody> error = ArmErrorBody.in(document);
            if (error.isPresent()) {
                throw InvalidAnswerException.reporting(error.get());
            }
            throw new InvalidAnswerException("the operation's state contains no status");
        }
        return of(status, document);
    }

    /** From the {@code provisioningState} of the resource itself; if absent or blank, the operation has completed. */
    static OperationState ofResource(ArmAnswer answer) throws InvalidAnswerException {
        Map<?, ?> resource = answer.resource();
        return resource.get("properties") instanceof Map<?, ?> properties
                        && properties.get("provisioningState") instanceof String state
                        && !state.isBlank()
                ? of(state, resource)
                : new Succeeded();
    }

    /** From the status of an operation's result: 202 until it completes. */
    static OperationState ofLocation(ArmAnswer answer) {
        return answer.status() == 202 ? new Running() : new Succeeded();
    }

    private static OperationState of(String status, Map<?, ?> body) {
        ArmErrorBody error = ArmErrorBody.in(body).orElse(ArmErrorBody.NONE);
        return switch (status.toLowerCase(Locale.ROOT)) {
            case "succeeded" -> new Succeeded();
            case "failed" -> new Failed(error);
            case "canceled", "cancelled" -> new Canceled(error);
            default -> new Running();
        };
    }
}
