package dev.poolkeeper.ports;

import org.jspecify.annotations.Nullable;

/**
 * An error response from ARM, for people and for classification. Each part may be unknown.
 *
 * @param status the HTTP status; null if the error came in a response with a success status, as for a failed
 *     long-running operation
 * @param code ARM's error code, such as {@code AnotherOperationInProgress}
 * @param message ARM's message, for people only
 * @param correlationId the correlation or request id by which Azure support finds the call
 */
public record ArmError(
        @Nullable Integer status,
        @Nullable String code,
        @Nullable String message,
        @Nullable String correlationId) {

    public static ArmError ofStatus(int status) {
        return new ArmError(status, null, null, null);
    }

    public static ArmError of(int status, @Nullable String code) {
        return new ArmError(status, code, null, null);
    }

    /** The same error without the correlation id, so that equal failures are equal. */
    public ArmError withoutCorrelationId() {
        return new ArmError(status, code, message, null);
    }

    /** {@code HTTP 409 AnotherOperationInProgress: ARM's message (correlation id)}, without unknown parts. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        if (status != null) {
            text.append("HTTP ").append(status);
        }
        if (code != null) {
            text.append(text.isEmpty() ? "" : " ").append(code);
        }
        if (message != null) {
            text.append(text.isEmpty() ? "" : ": ").append(message);
        }
        if (text.isEmpty()) {
            text.append("an error that ARM did not describe");
        }
        if (correlationId != null) {
            text.append(" (").append(correlationId).append(')');
        }
        return text.toString();
    }
}
