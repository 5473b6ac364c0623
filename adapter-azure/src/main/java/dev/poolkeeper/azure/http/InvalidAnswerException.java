package dev.poolkeeper.azure.http;

/** A response from ARM is invalid. The message states the problem and quotes no secret. */
public final class InvalidAnswerException extends Exception {

    public InvalidAnswerException(String message) {
        super(Redaction.of(message), null, false, false);
    }

    /** The problem. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
