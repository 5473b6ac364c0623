package dev.poolkeeper.k8s.client;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Configures a {@link RotatingHttpClient} where Fabric8 expects the builder of the JDK's client. */
final class RotatingHttpClientBuilder implements HttpClient.Builder {

    private final HttpClient.Builder builder;
    private final TlsSettings tls;
    private final Consumer<SSLContext> refused;

    RotatingHttpClientBuilder(HttpClient.Builder builder, TlsSettings tls, Consumer<SSLContext> refused) {
        this.builder = builder;
        this.tls = tls;
        this.refused = refused;
    }

    @Override
    public HttpClient build() {
        return new RotatingHttpClient(builder, tls, refused);
    }

    @Override
    public HttpClient.Builder executor(Executor executor) {
        builder.executor(executor);
        return this;
    }

    @Override
    public HttpClient.Builder sslContext(SSLContext context) {
        throw new UnsupportedOperationException("the TLS settings have it");
    }

    @Override
    public HttpClient.Builder cookieHandler(CookieHandler cookies) {
        builder.cookieHandler(cookies);
        return this;
    }

    @Override
    public HttpClient.Builder connectTimeout(Duration timeout) {
        builder.connectTimeout(timeout);
        return this;
    }

    @Override
    public HttpClient.Builder sslParameters(SSLParameters parameters) {
        builder.sslParameters(parameters);
        return this;
    }

    @Override
    public HttpClient.Builder followRedirects(Redirect policy) {
        builder.followRedirects(policy);
        return this;
    }

    @Override
    public HttpClient.Builder version(Version version) {
        builder.version(version);
        return this;
    }

    @Override
    public HttpClient.Builder priority(int priority) {
        builder.priority(priority);
        return this;
    }

    @Override
    public HttpClient.Builder proxy(ProxySelector proxies) {
        builder.proxy(proxies);
        return this;
    }

    @Override
    public HttpClient.Builder authenticator(Authenticator authenticator) {
        builder.authenticator(authenticator);
        return this;
    }
}
