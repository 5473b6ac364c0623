package dev.poolkeeper.azure;

import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Reads a list from its first page to its last. A list that broke off is a failure. Thread-safe. */
final class ArmPages {

    private final ArmClient client;
    private final ArmExchange exchange;

    ArmPages(ArmClient client, ArmExchange exchange) {
        this.client = client;
        this.exchange = exchange;
    }

    /** Makes elements of a page's body. */
    interface Reader<R> {
        List<R> read(byte[] body) throws UnfitAnswerException;
    }

    /**
     * Every element of every page.
     *
     * @param what the list's name in a failure
     * @param page makes the request for the page at an address, for the first one where that is null
     */
    <T, R> Reply<List<R>> all(
            ArmRequest request, String what, Function<@Nullable String, Mono<T>> page, Reader<R> reader) {
        List<R> elements = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        String nextLink = null;
        while (true) {
            String link = nextLink;
            switch (exchange.send(request, () -> page.apply(link))) {
                case Reply.Failed<Answered<T>>(Failure failure) -> {
                    return Reply.failed(failure);
                }
                case Reply.Ok<Answered<T>>(Answered<T> answered) -> {
                    try {
                        elements.addAll(reader.read(answered.answer().body()));
                        nextLink = nextLink(answered.answer(), seen);
                    } catch (UnfitAnswerException e) {
                        return Reply.failed(FailureMapping.ofUnfit(what, answered.answer(), e));
                    }
                    if (nextLink == null) {
                        return Reply.ok(List.copyOf(elements));
                    }
                }
            }
        }
    }

    private @Nullable String nextLink(ArmAnswer answer, Set<String> seen) throws UnfitAnswerException {
        Object link = Json.object(answer.body()).get("nextLink");
        if (link == null || "".equals(link)) {
            return null;
        }
        if (!(link instanceof String text) || !client.isTrusted(text)) {
            throw new UnfitAnswerException("its next page is not at Azure Resource Manager");
        }
        if (!seen.add(text)) {
            throw new UnfitAnswerException("its pages go round in a circle");
        }
        return text;
    }
}
