package dev.poolkeeper.azure.http;

import java.util.Map;

/** The body of a response. */
public sealed interface AnswerBody {

    /** The complete body. */
    record Whole(byte[] bytes) implements AnswerBody {
        @Override
        public Map<?, ?> json() throws UnfitAnswerException {
            return Json.object(bytes);
        }

        @Override
        public boolean isEmpty() {
            return bytes.length == 0;
        }
    }

    /** The body exceeds its size limit. */
    record TooLarge(SizeLimit limit) implements AnswerBody {
        @Override
        public Map<?, ?> json() throws UnfitAnswerException {
            throw new UnfitAnswerException(limit.exceeded());
        }

        @Override
        public boolean isEmpty() {
            return false;
        }
    }

    /**
     * The body as one JSON object.
     *
     * @throws UnfitAnswerException if it is not a JSON object
     */
    Map<?, ?> json() throws UnfitAnswerException;

    /** Whether the response had no body. */
    boolean isEmpty();
}
