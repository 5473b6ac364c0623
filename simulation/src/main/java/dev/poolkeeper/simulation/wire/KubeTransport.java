package dev.poolkeeper.simulation.wire;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Dropped;
import dev.poolkeeper.emulators.http.AnswerPart.End;
import dev.poolkeeper.emulators.http.AnswerPart.Frame;
import dev.poolkeeper.emulators.http.AnswerPart.Head;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.simulation.time.Timeline;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Fabric8's HTTP client over a {@link Way}. It applies timeouts itself, on virtual time. */
final class KubeTransport extends StandardHttpClient<KubeTransport, KubeClientFactory, KubeTransport.Builder> {

    private final KubeClientFactory factory;
    /** Requests that may still be answered. */
    private final Set<Way.Sent> sent = new LinkedHashSet<>();

    KubeTransport(Builder builder, KubeClientFactory factory) {
        super(builder, new AtomicBoolean());
        this.factory = factory;
    }

    /** The builder that Fabric8 derives clients from. */
    static final class Builder extends StandardHttpClientBuilder<KubeTransport, KubeClientFactory, Builder> {

        Builder(KubeClientFactory factory) {
            super(factory);
        }

        @Override
        public KubeTransport build() {
            return new KubeTransport(this, clientFactory);
        }

        @Override
        protected Builder newInstance(KubeClientFactory factory) {
            return new Builder(factory);
        }
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        CompletableFuture<HttpResponse<AsyncBody>> response = new CompletableFuture<>();
        KubeBody body = new KubeBody(consumer);
        Way.Sent exchange = factory.way().send(call(request), part -> answered(request, part, response, body));
        sent.add(exchange);
        body.onEnd(() -> sent.remove(exchange));
        body.onCancel(exchange::abandon);
        Timeline.Event timeout = request.isForStreaming()
                ? null
                : factory.process()
                        .startAfter(
                                factory.timeoutNanos(),
                                () -> response.completeExceptionally(new HttpTimeoutException("request timed out")));
        CompletableFuture<HttpResponse<AsyncBody>> ended = response.whenComplete((answer, thrown) -> {
            if (timeout != null) {
                timeout.cancel();
            }
            if (thrown != null) {
                sent.remove(exchange);
                exchange.abandon();
            }
        });
        return ended;
    }

    private static HttpCall call(StandardHttpRequest request) {
        byte[] body = switch (request.body()) {
            case null -> new byte[0];
            case StandardHttpRequest.StringBodyContent text -> text.getContent().getBytes(StandardCharsets.UTF_8);
            case StandardHttpRequest.ByteArrayBodyContent bytes -> bytes.getContent();
            default -> throw new IllegalArgumentException("unsupported body: " + request.body());
        };
        Map<String, List<String>> headers = new HashMap<>(request.headers());
        if (request.getContentType() != null) {
            headers.put("Content-Type", List.of(request.getContentType()));
        }
        return HttpCall.of(request.method(), request.uri(), headers, body);
    }

    private static void answered(
            StandardHttpRequest request,
            AnswerPart part,
            CompletableFuture<HttpResponse<AsyncBody>> response,
            KubeBody body) {
        switch (part) {
            case Whole whole -> {
                response.complete(new KubeResponse(request, whole.status(), whole.headers(), body));
                body.arrived(whole.body());
                body.ended(
                        whole.announced() == whole.body().length
                                ? null
                                : new IOException("the connection was closed during the response"));
            }
            case Head head -> response.complete(new KubeResponse(request, head.status(), head.headers(), body));
            case Frame frame -> body.arrived(frame.bytes());
            case End end -> body.ended(null);
            case Dropped dropped -> {
                IOException gone = new IOException("the connection was closed without a response");
                response.completeExceptionally(gone);
                body.ended(gone);
            }
        }
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder webSocketBuilder, WebSocket.Listener listener) {
        throw new UnsupportedOperationException("the daemon uses no web sockets");
    }

    @Override
    protected void doClose() {
        sent.forEach(Way.Sent::abandon);
    }
}
