package dev.poolkeeper.emulators.http;

import java.util.Map;

/**
 * A part of the answer to one request. An answer is either one {@link Whole}; or a {@link Head}, any number of
 * {@link Frame}s and an {@link End}; or {@link Dropped}, which may also stand in place of the end.
 */
public sealed interface AnswerPart {

    /**
     * A whole answer.
     *
     * @param headers by name, as they are sent; without {@code Content-Length}
     * @param body the body's bytes, empty for none
     * @param announced the {@code Content-Length}; where it is more than the body has, the connection breaks after the
     *     body
     */
    record Whole(int status, Map<String, String> headers, byte[] body, int announced) implements AnswerPart {

        public Whole {
            headers = Map.copyOf(headers);
            if (announced < body.length) {
                throw new IllegalArgumentException(
                        "announced must be the body's length or more, %d, got %d".formatted(body.length, announced));
            }
        }

        public Whole(int status, Map<String, String> headers, byte[] body) {
            this(status, headers, body, body.length);
        }
    }

    /** The beginning of an answer whose body comes piece by piece and whose length is not announced. */
    record Head(int status, Map<String, String> headers) implements AnswerPart {

        public Head {
            headers = Map.copyOf(headers);
        }
    }

    /** The next piece of the body, sent at once. */
    record Frame(byte[] bytes) implements AnswerPart {}

    /** The body is complete. */
    record End() implements AnswerPart {}

    /** The connection is closed without (the rest of) an answer. */
    record Dropped() implements AnswerPart {}
}
