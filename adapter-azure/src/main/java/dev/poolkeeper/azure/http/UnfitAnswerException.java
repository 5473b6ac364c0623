package dev.poolkeeper.azure.http;

/** An answer of ARM is not what it has to be. The message says what is wrong with it, and quotes no secret. */
public final class UnfitAnswerException extends Exception {

    public UnfitAnswerException(String message) {
        super(Redaction.of(message), null, false, false);
    }

    /** What is wrong with it. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
