package dev.poolkeeper.azure.http;

import java.util.Map;

/** The body of an answer. */
public sealed interface AnswerBody {

    /** It was read to its end. */
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

    /** It is larger than what is read of its kind. */
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
     * @throws UnfitAnswerException if it is anything else
     */
    Map<?, ?> json() throws UnfitAnswerException;

    /** Whether there was none. */
    boolean isEmpty();
}
