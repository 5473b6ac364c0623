package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import com.azure.core.util.FluxUtil;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Ends a response with {@link AnswerTooLargeException} once it exceeds its {@link SizeLimit}. No code reads a whole
 * response before that check, regardless of the request's context. Thread-safe.
 */
final class BoundedHttpClient implements HttpClient {

    /** The key of the limit in a request's context; the default is the limit of a resource. */
    private static final String LIMIT = "dev.poolkeeper.azure.http.limit";

    /** With this key the JDK's client buffers a whole response before its size can be checked. */
    private static final String READ_EAGERLY = "azure-eagerly-read-response";

    private final HttpClient client;

    private BoundedHttpClient(HttpClient client) {
        this.client = client;
    }

    static HttpClient of(HttpClient client) {
        return client instanceof BoundedHttpClient ? client : new BoundedHttpClient(client);
    }

    /** A request context with this limit. */
    static Context with(Context context, SizeLimit limit) {
        return context.addData(LIMIT, limit);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        SizeLimit limit = context.getData(LIMIT).orElse(null) instanceof SizeLimit set ? set : SizeLimit.RESOURCE;
        return client.send(request, context.addData(READ_EAGERLY, false))
                .map(response -> new BoundedResponse(response, limit));
    }

    private static final class BoundedResponse extends HttpResponse {

        private final HttpResponse response;
        private final SizeLimit limit;

        BoundedResponse(HttpResponse response, SizeLimit limit) {
            super(response.getRequest());
            this.response = response;
            this.limit = limit;
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            AtomicLong read = new AtomicLong();
            return response.getBody().doOnNext(part -> {
                if (read.addAndGet(part.remaining()) > limit.bytes()) {
                    throw new AnswerTooLargeException(limit);
                }
            });
        }

        @Override
        public int getStatusCode() {
            return response.getStatusCode();
        }

        @Override
        @Deprecated
        public String getHeaderValue(String name) {
            return getHeaders().getValue(HttpHeaderName.fromString(name));
        }

        @Override
        public HttpHeaders getHeaders() {
            return response.getHeaders();
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return FluxUtil.collectBytesInByteBufferStream(getBody());
        }

        @Override
        public Mono<String> getBodyAsString() {
            return getBodyAsString(StandardCharsets.UTF_8);
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return getBodyAsByteArray().map(bytes -> new String(bytes, charset));
        }

        @Override
        public void close() {
            response.close();
        }
    }
}
