package dev.poolkeeper.k8s.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Connects to one API server through the JDK's HTTP client. Fabric8's own settings are not applied: its proxies have
 * rules of their own, with a CA it also trusts those of the JDK, and it follows redirects with the credential. A
 * redirect is a failed request.
 */
final class ApiServerTransport extends JdkHttpClientFactory {

    private final ApiServer server;
    private final RequestHeaders headers;

    ApiServerTransport(ApiServer server, String userAgent) {
        this.server = server;
        this.headers = new RequestHeaders(server, userAgent);
    }

    @Override
    public HttpClient.Builder newBuilder(Config config) {
        HttpClient.Builder builder = server.tls().isPresent()
                ? new RotatingHttpClient.Builder(
                        this,
                        new RotatingConnections(
                                connections(config), server.tls().get(), headers::refused))
                : newBuilder();
        builder.tag(config.getRequestConfig());
        return builder.connectTimeout(config.getConnectionTimeout(), TimeUnit.MILLISECONDS)
                .preferHttp11()
                .addOrReplaceInterceptor("poolkeeper", headers);
    }

    private java.net.http.HttpClient.Builder connections(Config config) {
        java.net.http.HttpClient.Builder builder = createNewHttpClientBuilder()
                .connectTimeout(Duration.ofMillis(config.getConnectionTimeout()))
                .version(Version.HTTP_1_1);
        additionalConfig(builder);
        return builder;
    }

    @Override
    protected void additionalConfig(java.net.http.HttpClient.Builder builder) {
        builder.proxy(server.proxies()).followRedirects(Redirect.NEVER);
    }
}
