package dev.poolkeeper.k8s.client;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sets the headers of each request, and repeats one that was answered 401 if there is another credential by then: a
 * header or a client certificate.
 */
final class RequestHeaders implements Interceptor {

    private static final String AUTHORIZATION = "Authorization";

    private final ApiServer server;
    private final String userAgent;
    private volatile @Nullable SSLContext refused;

    RequestHeaders(ApiServer server, String userAgent) {
        this.server = server;
        this.userAgent = userAgent;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        builder.setHeader("User-Agent", userAgent);
        server.headers().forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        server.credential().authorization().ifPresent(value -> builder.setHeader(AUTHORIZATION, value));
    }

    /** Called with the context of a connection that was answered 401, before {@link #afterFailure}. */
    void refused(SSLContext context) {
        refused = context;
        server.tls().ifPresent(tls -> tls.refused(context));
    }

    @Override
    public CompletableFuture<Boolean> afterFailure(BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
        if (response.code() != HttpURLConnection.HTTP_UNAUTHORIZED) {
            return CompletableFuture.completedFuture(false);
        }
        @Nullable String sent = response.request().header(AUTHORIZATION);
        if (sent != null) {
            server.credential().refused(sent);
        }
        Optional<String> other = server.credential().authorization().filter(value -> !value.equals(sent));
        other.ifPresent(value -> builder.setHeader(AUTHORIZATION, value));
        return CompletableFuture.completedFuture(other.isPresent() || hasOtherCertificate());
    }

    private boolean hasOtherCertificate() {
        SSLContext last = refused;
        return last != null
                && server.tls().filter(tls -> !tls.context().equals(last)).isPresent();
    }
}
