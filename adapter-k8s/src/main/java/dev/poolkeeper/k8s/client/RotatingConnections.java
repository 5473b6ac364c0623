package dev.poolkeeper.k8s.client;

import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.net.HttpURLConnection;
import java.net.http.HttpClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends each request with the client certificate that is valid at that time. The JDK's client cannot close pooled
 * connections, which keep the certificate of their handshake, so it is replaced together with the certificate. Requests
 * in progress, such as watches, end on the connections that they have. Thread-safe.
 */
final class RotatingConnections {

    private final HttpClient.Builder builder;
    private final TlsSettings tls;
    private final Consumer<SSLContext> refused;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable HttpClient connections;
    private @Nullable JdkHttpClientImpl current;
    private @Nullable SSLContext context;

    /**
     * @param builder complete except for the TLS context
     * @param refused called with the context of a connection that was answered 401, before the response is returned
     */
    RotatingConnections(HttpClient.Builder builder, TlsSettings tls, Consumer<SSLContext> refused) {
        this.builder = builder;
        this.tls = tls;
        this.refused = refused;
    }

    /** Sends while the lock is held, because a client that was replaced takes no further requests. */
    <T> CompletableFuture<HttpResponse<T>> send(
            Function<JdkHttpClientImpl, CompletableFuture<HttpResponse<T>>> request) {
        lock.lock();
        try {
            SSLContext used = tls.context();
            return request.apply(client(used)).thenApply(response -> {
                if (response.code() == HttpURLConnection.HTTP_UNAUTHORIZED) {
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

    private JdkHttpClientImpl client(SSLContext wanted) {
        JdkHttpClientImpl known = current;
        if (known != null && (wanted.equals(context) || known.isClosed())) {
            return known;
        }
        HttpClient former = connections;
        HttpClient fresh = builder.sslContext(wanted).build();
        JdkHttpClientImpl client =
                new JdkHttpClientImpl(new JdkHttpClientFactory().newBuilder(), fresh, new AtomicBoolean());
        connections = fresh;
        current = client;
        context = wanted;
        if (former != null) {
            former.shutdown();
        }
        return client;
    }

    /** Requests fail from now on. */
    void close() {
        lock.lock();
        try {
            if (current != null) {
                current.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
