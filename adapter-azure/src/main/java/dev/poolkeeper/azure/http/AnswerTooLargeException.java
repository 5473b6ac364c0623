package dev.poolkeeper.azure.http;

/** An answer was cut off because it is larger than what is read of its kind. */
final class AnswerTooLargeException extends RuntimeException {

    private final SizeLimit limit;

    AnswerTooLargeException(SizeLimit limit) {
        super("the answer is not read: " + limit.exceeded(), null, false, false);
        this.limit = limit;
    }

    SizeLimit limit() {
        return limit;
    }
}
