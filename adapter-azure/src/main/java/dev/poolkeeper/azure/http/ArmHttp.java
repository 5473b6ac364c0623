package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.Configuration;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * HTTP clients for requests to ARM and for tokens: the JDK's client with a limit on the size of responses. When a
 * pooled connection turns out to be closed, it transparently repeats a GET, but never a PUT.
 */
public final class ArmHttp {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private ArmHttp() {}

    /**
     * A client that trusts the certificate authorities of the JDK. Thread-safe; should be shared.
     *
     * @param proxies selects HTTP proxies; the JDK's client connects directly if it selects any other
     */
    public static HttpClient client(ProxySelector proxies) {
        return build(java.net.http.HttpClient.newBuilder(), proxies);
    }

    /** The same without proxies. */
    public static HttpClient client() {
        return client(java.net.http.HttpClient.Builder.NO_PROXY);
    }

    /**
     * A client that trusts only the certificates in a PEM file, for an emulator.
     *
     * @throws IllegalArgumentException if the file cannot be read or contains no certificate
     */
    public static HttpClient clientTrusting(Path caFile, ProxySelector proxies) {
        try {
            return build(java.net.http.HttpClient.newBuilder().sslContext(trusting(caFile)), proxies);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("%s must be a PEM file of certificates: %s".formatted(caFile, e), e);
        }
    }

    /** The same without proxies. */
    public static HttpClient clientTrusting(Path caFile) {
        return clientTrusting(caFile, java.net.http.HttpClient.Builder.NO_PROXY);
    }

    private static HttpClient build(java.net.http.HttpClient.Builder builder, ProxySelector proxies) {
        HttpClient client = new JdkHttpClientBuilder(
                        builder.connectTimeout(CONNECT_TIMEOUT).proxy(proxies))
                .configuration(Configuration.NONE) // the SDK has different rules for proxies in the environment
                .build();
        return BoundedHttpClient.of(new ProxiedHttpClient(client, proxies));
    }

    private static SSLContext trusting(Path caFile) throws IOException, GeneralSecurityException {
        Collection<? extends Certificate> certificates;
        try (InputStream in = Files.newInputStream(caFile)) {
            certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException("it contains none");
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("ca-" + store.size(), certificate);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
