package dev.poolkeeper.emulators.http;

import java.util.Map;

/**
 * A part of the response to one request. A response is either one {@link Whole}; or a {@link Head}, any number of
 * {@link Frame}s and an {@link End}; or {@link Dropped}, which may also replace the end.
 */
public sealed interface AnswerPart {

    /**
     * A complete response.
     *
     * @param headers by name, as sent; without {@code Content-Length}
     * @param body the body's bytes, empty for none
     * @param announced the {@code Content-Length}; if it is more than the body's length, the connection is closed after
     *     the body
     */
    record Whole(int status, Map<String, String> headers, byte[] body, int announced) implements AnswerPart {

        public Whole {
            headers = Map.copyOf(headers);
            if (announced < body.length) {
                throw new IllegalArgumentException(
                        "announced must be the body's length or more, %s, got %s".formatted(body.length, announced));
            }
        }

        public Whole(int status, Map<String, String> headers, byte[] body) {
            this(status, headers, body, body.length);
        }
    }

    /** The start of a streamed response without an announced length. */
    record Head(int status, Map<String, String> headers) implements AnswerPart {

        public Head {
            headers = Map.copyOf(headers);
        }
    }

    /** The next part of the body, sent immediately. */
    record Frame(byte[] bytes) implements AnswerPart {}

    /** The body is complete. */
    record End() implements AnswerPart {}

    /** The connection is closed without (the rest of) a response. */
    record Dropped() implements AnswerPart {}
}
