package dev.poolkeeper.azure;

/** An answer of ARM is not what it has to be. The message says what is wrong with it, and quotes no secret. */
final class UnfitAnswerException extends Exception {

    UnfitAnswerException(String message) {
        super(Redaction.of(message), null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
