package dev.poolkeeper.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.FluxUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** ARM without sockets: the SDK's pipeline down to its HTTP client, scripted. Used by one call at a time. */
final class MemoryArm implements HttpClient {

    /** A response; a null body is a broken connection. */
    record Canned(int status, byte @Nullable [] body, Map<String, String> headers) {
        static Canned of(int status, String body) {
            return new Canned(status, body.getBytes(StandardCharsets.UTF_8), Map.of());
        }
    }

    private final Deque<Canned> script = new ArrayDeque<>();
    private volatile byte @Nullable [] lastPut;

    /** Gives every request this response, whose parts are created as they are read. */
    static HttpClient answering(int status, Flux<ByteBuffer> body) {
        return request -> Mono.just(new CannedResponse(request, status, Map.of(), body));
    }

    synchronized void script(Canned... answers) {
        script.clear();
        script.addAll(List.of(answers));
        lastPut = null;
    }

    byte @Nullable [] lastPut() {
        return lastPut;
    }

    @Override
    public synchronized Mono<HttpResponse> send(HttpRequest request) {
        if (request.getHttpMethod() == HttpMethod.PUT && request.getBodyAsBinaryData() != null) {
            lastPut = request.getBodyAsBinaryData().toBytes();
        }
        // the last response repeats, for an operation that never ends
        Canned answer = script.size() > 1 ? script.poll() : script.peek();
        if (answer == null) {
            return Mono.error(new IOException("nothing left to say"));
        }
        byte[] body = answer.body();
        return Mono.just(new CannedResponse(
                request,
                answer.status(),
                answer.headers(),
                body == null
                        ? Flux.error(new IOException("connection reset"))
                        : Flux.defer(() -> Flux.just(ByteBuffer.wrap(body)))));
    }

    private static final class CannedResponse extends HttpResponse {

        private final int status;
        private final Map<String, String> headers;
        private final Flux<ByteBuffer> body;

        CannedResponse(HttpRequest request, int status, Map<String, String> headers, Flux<ByteBuffer> body) {
            super(request);
            this.status = status;
            this.headers = headers;
            this.body = body;
        }

        @Override
        public int getStatusCode() {
            return status;
        }

        @Override
        @Deprecated
        public @Nullable String getHeaderValue(String name) {
            return getHeaders().getValue(HttpHeaderName.fromString(name));
        }

        @Override
        public HttpHeaders getHeaders() {
            HttpHeaders all = new HttpHeaders().set(HttpHeaderName.CONTENT_TYPE, "application/json");
            headers.forEach((name, value) -> all.set(HttpHeaderName.fromString(name), value));
            return all;
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            return body;
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return FluxUtil.collectBytesInByteBufferStream(body);
        }

        @Override
        public Mono<String> getBodyAsString() {
            return getBodyAsString(StandardCharsets.UTF_8);
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return getBodyAsByteArray().map(bytes -> new String(bytes, charset));
        }
    }
}
