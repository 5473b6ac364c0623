package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import reactor.core.publisher.Mono;

/**
 * Fails with {@link ProxyRefusedException} if the proxy asks for credentials. The JDK's client then returns a response
 * without a body, not even an empty one, which the SDK cannot read. Thread-safe.
 */
final class ProxiedHttpClient implements HttpClient {

    private final HttpClient client;
    private final ProxySelector proxies;

    /** @param proxies the same as the client's */
    ProxiedHttpClient(HttpClient client, ProxySelector proxies) {
        this.client = client;
        this.proxies = proxies;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return client.send(request, context)
                .flatMap(response -> response.getStatusCode() == HttpURLConnection.HTTP_PROXY_AUTH
                        ? refused(request, response)
                        : Mono.just(response));
    }

    private Mono<HttpResponse> refused(HttpRequest request, HttpResponse response) {
        URI uri = URI.create(request.getUrl().toString());
        for (Proxy proxy : proxies.select(uri)) {
            if (proxy.address() instanceof InetSocketAddress address) {
                String variable = "https".equalsIgnoreCase(uri.getScheme()) ? "HTTPS_PROXY" : "HTTP_PROXY";
                return Mono.error(
                        new ProxyRefusedException(address.getHostString() + ":" + address.getPort(), variable));
            }
        }
        return Mono.just(response); // sent by the server itself
    }
}
