package dev.poolkeeper.app.admin;

import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.app.status.StatusHtml;
import dev.poolkeeper.app.status.StatusJson;
import dev.poolkeeper.app.status.StatusQuery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * What the daemon is doing and why a pool is not updated: a page, or JSON for who asks with {@code ?format=json} or
 * {@code Accept: application/json}. {@code ?service=} and {@code ?problem=true} choose pools, {@code ?limit=} says how
 * many. Thread-safe.
 */
final class StatusPage implements Page {

    private final Supplier<DaemonStatus> status;

    StatusPage(Supplier<DaemonStatus> status) {
        this.status = status;
    }

    @Override
    public PageAnswer answer(Request request) throws IOException {
        StatusQuery query = query(request);
        return isJson(request)
                ? new PageAnswer(200, "application/json", StatusJson.of(status.get(), query))
                : new PageAnswer(
                        200,
                        "text/html; charset=utf-8",
                        StatusHtml.of(status.get(), query).getBytes(StandardCharsets.UTF_8));
    }

    private static StatusQuery query(Request request) {
        return new StatusQuery(
                request.value("service"),
                request.value("problem").filter(value -> !value.equals("false")).isPresent(),
                request.value("limit").map(StatusPage::limit).orElse(StatusQuery.DEFAULT_LIMIT));
    }

    private static int limit(String text) {
        try {
            return Math.clamp(Integer.parseInt(text), 1, StatusQuery.LARGEST_LIMIT);
        } catch (NumberFormatException e) {
            return StatusQuery.DEFAULT_LIMIT;
        }
    }

    private static boolean isJson(Request request) {
        return request.value("format")
                .map(format -> format.equals("json"))
                .orElseGet(() -> request.accept().contains("application/json")
                        && !request.accept().contains("text/html"));
    }
}
