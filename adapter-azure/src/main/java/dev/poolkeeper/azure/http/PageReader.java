package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpResponse;
import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import dev.poolkeeper.azure.http.PageReader.Page;
import dev.poolkeeper.ports.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Reads a page of a list as it arrives, one element at a time. Thread-safe. */
final class PageReader<R> implements AnswerReader<Page<R>> {

    /** The fields of an error, which may come instead of the list. */
    private static final Set<String> ERROR = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        ERROR.addAll(List.of("error", "code", "message", "details"));
    }

    private final String what;
    private final ArmPages.ElementReader<R> elements;
    private final Scheduler scheduler;

    /**
     * @param what the list's name in failures
     * @param scheduler whose threads may wait for the rest of a response
     */
    PageReader(String what, ArmPages.ElementReader<R> elements, Scheduler scheduler) {
        this.what = what;
        this.elements = elements;
        this.scheduler = scheduler;
    }

    /**
     * A page.
     *
     * @param nextLink the URL of the next page; null after the last one
     * @param bytes its size
     */
    record Page<R>(List<R> elements, @Nullable String nextLink, long bytes) {}

    @Override
    public SizeLimit limit() {
        return SizeLimit.LIST;
    }

    @Override
    public Mono<Received<Page<R>>> read(HttpResponse response) {
        ArmAnswer head =
                new ArmAnswer(response.getStatusCode(), response.getHeaders(), new AnswerBody.Whole(new byte[0]));
        return Mono.fromCallable(() -> new Received<>(head, page(head, response)))
                .subscribeOn(scheduler);
    }

    private Reply<Page<R>> page(ArmAnswer head, HttpResponse response) {
        try (BodyStream body = new BodyStream(response.getBody())) {
            try {
                return Reply.ok(page(body));
            } catch (InvalidAnswerException e) {
                return Reply.failed(FailureMapping.ofInvalid(what, head, e));
            } catch (IOException | RuntimeException e) { // the parser throws both for invalid JSON
                RuntimeException brokeOff = body.failure();
                if (brokeOff instanceof AnswerTooLargeException tooLarge) {
                    InvalidAnswerException why =
                            new InvalidAnswerException(tooLarge.limit().exceeded());
                    return Reply.failed(FailureMapping.ofInvalid(what, head, why));
                }
                if (brokeOff != null) {
                    throw brokeOff;
                }
                return Reply.failed(
                        FailureMapping.ofInvalid(what, head, new InvalidAnswerException("the body is not JSON")));
            }
        }
    }

    private Page<R> page(BodyStream body) throws IOException, InvalidAnswerException {
        List<R> read = null;
        String nextLink = null;
        Map<String, Object> error = Json.fields();
        Set<String> fields = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        JsonReader json = JsonProviders.createReader(body);
        switch (json.nextToken()) {
            case START_OBJECT -> {}
            case NULL -> throw InvalidAnswerException.empty("the body is null");
            case null -> throw InvalidAnswerException.empty("the body is empty");
            default -> throw new InvalidAnswerException("the body is not a JSON object");
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.getFieldName();
            if (!fields.add(field)) {
                throw InvalidAnswerException.contradictory("the body has two fields " + field);
            }
            JsonToken token = json.nextToken();
            if ("value".equalsIgnoreCase(field) && token == JsonToken.START_ARRAY) {
                read = elements(json, body);
            } else if ("nextLink".equalsIgnoreCase(field)) {
                nextLink = nextLink(Json.read(json));
            } else if (ERROR.contains(field)) {
                error.put(field, Json.read(json));
            } else {
                json.skipChildren();
            }
            body.elementBegins();
        }
        if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != JsonToken.END_DOCUMENT) {
            throw new InvalidAnswerException("the body is not a single complete JSON object");
        }
        if (fields.isEmpty()) {
            throw InvalidAnswerException.empty("the body is an empty object");
        }
        if (read != null) {
            error.values().removeIf(reported -> reported instanceof Map<?, ?> nothing && nothing.isEmpty());
        }
        Optional<ArmErrorBody> reported = ArmErrorBody.insteadOf(error);
        if (reported.isPresent()) { // next to value, too: what that holds may not be all
            throw InvalidAnswerException.reporting(reported.get());
        }
        if (read == null) {
            throw new InvalidAnswerException("value is not an array");
        }
        return new Page<>(read, nextLink, body.size());
    }

    private List<R> elements(JsonReader json, BodyStream body) throws IOException, InvalidAnswerException {
        List<R> read = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            body.elementBegins();
            elements.read(Json.read(json)).ifPresent(read::add);
        }
        return read;
    }

    private static @Nullable String nextLink(@Nullable Object link) throws InvalidAnswerException {
        if (link == null || "".equals(link)) {
            return null;
        }
        if (link instanceof String text) {
            return text;
        }
        throw new InvalidAnswerException("nextLink is not a string");
    }
}
