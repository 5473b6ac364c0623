package dev.poolkeeper.k8s.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Fabric8's client on {@link RotatingConnections}, which the clients derived from it share. */
final class RotatingHttpClient
        extends StandardHttpClient<RotatingHttpClient, ApiServerTransport, RotatingHttpClient.Builder> {

    private final RotatingConnections connections;

    private RotatingHttpClient(Builder builder, RotatingConnections connections, AtomicBoolean closed) {
        super(builder, closed);
        this.connections = connections;
    }

    static final class Builder extends StandardHttpClientBuilder<RotatingHttpClient, ApiServerTransport, Builder> {

        private final RotatingConnections connections;

        Builder(ApiServerTransport factory, RotatingConnections connections) {
            super(factory);
            this.connections = connections;
        }

        @Override
        public HttpClient build() {
            return new RotatingHttpClient(this, connections, client == null ? new AtomicBoolean() : client.getClosed());
        }

        @Override
        protected Builder newInstance(ApiServerTransport factory) {
            return new Builder(factory, connections);
        }
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        return connections.send(client -> client.consumeBytesDirect(request, consumer));
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder request, WebSocket.Listener listener) {
        throw new UnsupportedOperationException("requests only");
    }

    @Override
    protected void doClose() {
        connections.close();
    }
}
