package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Splits lists into pages, each except the last with a link to the next. */
final class PageLinks {

    private static final String SKIP = "$skipToken";

    private PageLinks() {}

    /** @param show called for what the page contains */
    static <T> SentAnswer page(ReceivedCall call, List<T> all, Function<T, ? extends JsonNode> show, int pageSize) {
        int from = from(call, all.size());
        if (from < 0) {
            return Errors.error(400, "InvalidSkipToken", "The skip token was not issued by a list.");
        }
        int until = (int) Math.min(all.size(), (long) from + pageSize);
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ArrayNode value = body.putArray("value");
        all.subList(from, until).forEach(one -> value.add(show.apply(one)));
        if (until < all.size()) {
            body.put(
                    "nextLink",
                    call.base() + call.rawPath() + "?api-version=" + call.apiVersion() + "&" + SKIP + "=" + until);
        }
        return SentAnswer.of(200, body);
    }

    private static int from(ReceivedCall call, int size) {
        String token = call.query().getOrDefault(SKIP.toLowerCase(Locale.ROOT), "0");
        try {
            return Math.min(Integer.parseInt(token), size); // the list may have become shorter in the meantime
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
