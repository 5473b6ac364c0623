package dev.poolkeeper.k8s.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.ObjectJson;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A list of all objects of one kind, page by page. Each object is passed on while its page is still being read: a page
 * of large objects takes no more memory than one of them, and one that cannot be read hides no other. Requests the
 * newest state, not a cached one.
 */
final class PagedList<T extends HasMetadata> {

    private static final ObjectMapper JSON = ObjectJson.mapper();
    private static final int LONGEST_REFUSAL = 1 << 16;

    private final WatchedKind<T, ?> kind;
    private final KubernetesClient client;
    private final Time time;
    private final long pageSize;
    private final int timeoutMillis;

    /** Receives the objects in order, then the end. */
    interface Objects<T extends HasMetadata> {
        void read(T object);

        void unreadable(ObjectMeta identity, Throwable why);

        /** After the last object; the version to watch from. */
        void end(String version);
    }

    /** The metadata of a page. */
    private record Page(String version, String next) {}

    PagedList(WatchedKind<T, ?> kind, KubernetesClient client, WatchSettings settings, Time time) {
        this.kind = kind;
        this.client = client;
        this.time = time;
        this.pageSize = settings.pageSize() / kind.pageShare();
        this.timeoutMillis = client.getConfiguration().getRequestTimeout();
    }

    /** Blocks until the end was passed on, or throws; then it was not passed on. */
    void read(Objects<T> objects) {
        String parameters = "limit=" + pageSize;
        Page page = page(parameters, objects);
        while (!page.next.isEmpty()) {
            page = page(parameters + "&continue=" + URLEncoder.encode(page.next, StandardCharsets.UTF_8), objects);
        }
        objects.end(page.version);
    }

    private Page page(String parameters, Objects<T> objects) {
        HttpClient http = client.getHttpClient();
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(client.getMasterUrl() + kind.watch() + parameters)
                .timeout(timeoutMillis, TimeUnit.MILLISECONDS)
                .build();
        HttpResponse<InputStream> response = answer(http.sendAsync(request, InputStream.class));
        try (InputStream body = new TimedBody(response.body(), Duration.ofMillis(timeoutMillis), time)) {
            if (!response.isSuccessful()) {
                throw new KubernetesClientException(what(), response.code(), refusal(body));
            }
            try (JsonParser parser = JSON.createParser(body)) {
                return page(parser, objects);
            }
        } catch (IOException e) {
            throw new KubernetesClientException(what(), e);
        }
    }

    private HttpResponse<InputStream> answer(CompletableFuture<HttpResponse<InputStream>> sent) {
        try {
            return sent.get();
        } catch (ExecutionException | CancellationException e) {
            throw new KubernetesClientException(what(), e);
        } catch (InterruptedException e) {
            sent.cancel(true);
            Thread.currentThread().interrupt();
            throw new KubernetesClientException(what(), e);
        }
    }

    private String what() {
        return "list of " + kind.name();
    }

    private static Status refusal(InputStream body) throws IOException {
        String text = new String(body.readNBytes(LONGEST_REFUSAL), StandardCharsets.UTF_8);
        return ApiFailure.refusal(text).orElseGet(Status::new);
    }

    /** The body must be complete, with a list in it: a list that lacks objects would delete them. */
    private Page page(JsonParser parser, Objects<T> objects) throws IOException {
        JsonNode metadata = JSON.missingNode();
        boolean hasItems = false;
        expect(parser.nextToken() == JsonToken.START_OBJECT);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (field.equals("metadata")) {
                metadata = JSON.readTree(parser);
            } else if (field.equals("items")) {
                expect(!hasItems && (value == JsonToken.START_ARRAY || value == JsonToken.VALUE_NULL));
                hasItems = true;
                items(parser, objects);
            } else {
                parser.skipChildren();
            }
        }
        expect(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null);
        String version = metadata.path("resourceVersion").asText("");
        expect(hasItems && !version.isEmpty());
        return new Page(version, metadata.path("continue").asText(""));
    }

    private void items(JsonParser parser, Objects<T> objects) throws IOException {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                object(JSON.readValue(parser, TokenBuffer.class), objects);
            }
            expect(parser.currentToken() == JsonToken.END_ARRAY);
        }
    }

    private static void expect(boolean isList) {
        if (!isList) {
            throw new IllegalStateException("not the response of an API server: it is not a list");
        }
    }

    private void object(TokenBuffer content, Objects<T> objects) throws IOException {
        T object;
        try (JsonParser parser = content.asParser()) {
            object = JSON.readValue(parser, kind.type());
        } catch (IOException e) {
            try (JsonParser again = content.asParser()) {
                objects.unreadable(ObjectIdentity.of(JSON.readTree(again)).orElseThrow(() -> e), e);
            }
            return;
        }
        objects.read(object);
    }
}
