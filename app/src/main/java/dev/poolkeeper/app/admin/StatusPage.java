package dev.poolkeeper.app.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.app.status.NodeReports;
import dev.poolkeeper.app.status.StatusAnswer;
import dev.poolkeeper.app.status.StatusHtml;
import dev.poolkeeper.app.status.StatusJson;
import dev.poolkeeper.app.status.StatusQuery;
import dev.poolkeeper.app.status.StatusText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/**
 * The status of the daemon and the reasons why pools are not updated: as an HTML page; as JSON with
 * {@code ?format=json} or {@code Accept: application/json}; or as the text of the command {@code status} with
 * {@code ?format=text}. {@code ?service=} and {@code ?problem=true} filter pools, {@code ?limit=} limits their number,
 * {@code ?node=} reports whether a node is in them. Thread-safe.
 */
record StatusPage(Supplier<DaemonStatus> status, NodeReports nodes) implements Page {

    private static final JsonMapper READER = JsonMapper.builder().build();

    @Override
    public PageAnswer answer(Request request) throws IOException {
        StatusQuery query = query(request);
        StatusAnswer answer = StatusAnswer.to(query, status.get(), nodes);
        if (isText(request)) {
            JsonNode json = READER.readTree(StatusJson.of(answer));
            List<String> lines = new StatusText(json).lines(query.service());
            return PageAnswer.text(200, String.join("\n", lines) + "\n");
        }
        return isJson(request)
                ? new PageAnswer(200, "application/json", StatusJson.of(answer))
                : new PageAnswer(
                        200,
                        "text/html; charset=utf-8",
                        StatusHtml.of(answer, query).getBytes(StandardCharsets.UTF_8));
    }

    private static StatusQuery query(Request request) {
        return new StatusQuery(
                request.value("service"),
                request.value("problem").filter(value -> !value.equals("false")).isPresent(),
                request.value("limit").map(StatusPage::limit).orElse(StatusQuery.DEFAULT_LIMIT),
                request.value("node"));
    }

    private static int limit(String text) {
        try {
            return Math.clamp(Integer.parseInt(text), 1, StatusQuery.LARGEST_LIMIT);
        } catch (NumberFormatException e) {
            return StatusQuery.DEFAULT_LIMIT;
        }
    }

    private static boolean isText(Request request) {
        return request.value("format").filter("text"::equals).isPresent();
    }

    private static boolean isJson(Request request) {
        return request.value("format")
                .map(format -> format.equals("json"))
                .orElseGet(() -> request.accept().contains("application/json")
                        && !request.accept().contains("text/html"));
    }
}
