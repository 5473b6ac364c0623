package dev.poolkeeper.azure.http;

import dev.poolkeeper.azure.http.PageReader.Page;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads all pages of lists. An incomplete list is a failure, and so is one that does not end within {@link #MOST_PAGES}
 * pages and the size limit, so that it cannot exhaust the memory. Thread-safe.
 */
public final class ArmPages {

    /** Azure sends hundreds of load balancers on a page, and allows a thousand in a subscription and region. */
    static final int MOST_PAGES = 1_000;

    private final ArmEndpoint endpoint;
    private final ArmExchange exchange;

    public ArmPages(ArmEndpoint endpoint, ArmExchange exchange) {
        this.endpoint = endpoint;
        this.exchange = exchange;
    }

    /** Reads one element of a list. */
    @FunctionalInterface
    public interface ElementReader<R> {

        /**
         * Reads the element; empty to skip it.
         *
         * @param element a JSON value, which need not be an object
         * @throws InvalidAnswerException if it is invalid, which makes the whole list a failure
         */
        Optional<R> read(@Nullable Object element) throws InvalidAnswerException;
    }

    /**
     * Reads the elements of all pages.
     *
     * @param first the request for the first page
     * @param what the list's name in failures
     */
    public <R> Reply<List<R>> all(ArmRequest first, String what, ElementReader<R> reader) {
        List<R> elements = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        long size = 0;
        ArmRequest request = first;
        while (true) {
            switch (exchange.page(request, what, reader)) {
                case Reply.Failed<Page<R>>(Failure failure) -> {
                    return Reply.failed(failure);
                }
                case Reply.Ok<Page<R>>(Page<R> page) -> {
                    elements.addAll(page.elements());
                    size += page.bytes();
                    String next = page.nextLink();
                    if (size > SizeLimit.LIST.bytes()) {
                        return broken(what, SizeLimit.LIST.exceeded());
                    }
                    if (next == null) {
                        return Reply.ok(List.copyOf(elements));
                    }
                    if (!endpoint.isTrusted(next)) {
                        return broken(what, "its next page is not on Azure Resource Manager");
                    }
                    if (!seen.add(next)) {
                        return broken(what, "its pages form a cycle");
                    }
                    if (seen.size() >= MOST_PAGES) {
                        return broken(what, "it has more than %s pages".formatted(MOST_PAGES));
                    }
                    request = first.at(next);
                }
            }
        }
    }

    private static <R> Reply<List<R>> broken(String what, String why) {
        return Reply.failed(Failure.Other.terminal("ARM's response about %s is invalid: %s".formatted(what, why)));
    }
}
