package dev.poolkeeper.azure.http;

import java.util.Map;

/** The body of a response. */
public sealed interface AnswerBody {

    /** The complete body. */
    record Whole(byte[] bytes) implements AnswerBody {
        @Override
        public Map<?, ?> json() throws InvalidAnswerException {
            return Json.object(bytes);
        }

        @Override
        public boolean isEmpty() {
            return Json.isBlank(bytes);
        }
    }

    /** The body exceeds its size limit. */
    record TooLarge(SizeLimit limit) implements AnswerBody {
        @Override
        public Map<?, ?> json() throws InvalidAnswerException {
            throw new InvalidAnswerException(limit.exceeded());
        }

        @Override
        public boolean isEmpty() {
            return false;
        }
    }

    /**
     * The body as one JSON object.
     *
     * @throws InvalidAnswerException if it is not a JSON object
     */
    Map<?, ?> json() throws InvalidAnswerException;

    /** Whether the response had no body, or only white space. */
    boolean isEmpty();
}
