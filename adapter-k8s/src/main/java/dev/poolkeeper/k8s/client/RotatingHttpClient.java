package dev.poolkeeper.k8s.client;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Sends each request with the client certificate that is valid at that time. The JDK's client cannot close pooled
 * connections, which keep the certificate of their handshake, so it is replaced together with the certificate. Requests
 * in progress, such as watches, end on the connections that they have. Thread-safe.
 */
final class RotatingHttpClient extends HttpClient {

    private final HttpClient.Builder builder;
    private final TlsSettings tls;
    private final Consumer<SSLContext> refused;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable HttpClient current;
    private @Nullable SSLContext context;

    /**
     * @param builder complete except for the TLS context
     * @param refused called with the context of a connection that was answered 401, before the response is returned
     */
    RotatingHttpClient(HttpClient.Builder builder, TlsSettings tls, Consumer<SSLContext> refused) {
        this.builder = builder;
        this.tls = tls;
        this.refused = refused;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        throw new UnsupportedOperationException("asynchronous requests only");
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return sent(client -> client.sendAsync(request, handler));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushed) {
        return sent(client -> client.sendAsync(request, handler, pushed));
    }

    /** Sends while the lock is held, because a client that was replaced takes no further requests. */
    private <T> CompletableFuture<HttpResponse<T>> sent(
            Function<HttpClient, CompletableFuture<HttpResponse<T>>> sending) {
        lock.lock();
        try {
            SSLContext used = tls.context();
            return sending.apply(client(used)).thenApply(response -> {
                if (response.statusCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
                    refused.accept(used);
                }
                return response;
            });
        } catch (IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            lock.unlock();
        }
    }

    private HttpClient client(SSLContext wanted) {
        HttpClient known = current;
        if (known != null && wanted.equals(context)) {
            return known;
        }
        HttpClient fresh = builder.sslContext(wanted).build();
        current = fresh;
        context = wanted;
        if (known != null) {
            known.shutdown();
        }
        return fresh;
    }

    private HttpClient client() {
        lock.lock();
        try {
            return client(tls.context());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client().newWebSocketBuilder();
    }

    /** Empty before the first request. Fabric8 ends it when it closes the client. */
    @Override
    public Optional<Executor> executor() {
        lock.lock();
        try {
            return current == null ? Optional.empty() : current.executor();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client().cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client().connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client().followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client().proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client().sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client().sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client().authenticator();
    }

    @Override
    public Version version() {
        return client().version();
    }
}
