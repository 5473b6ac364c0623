package dev.poolkeeper.azure.http;

/** A response was cut off because it exceeds its size limit. */
final class AnswerTooLargeException extends RuntimeException {

    private final SizeLimit limit;

    AnswerTooLargeException(SizeLimit limit) {
        super("the response was not read: " + limit.exceeded(), null, false, false);
        this.limit = limit;
    }

    SizeLimit limit() {
        return limit;
    }
}
