package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.Configuration;
import java.io.IOException;
import java.io.InputStream;
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

    /** A client that trusts the certificate authorities of the JDK. Thread-safe; should be shared. */
    public static HttpClient client(HttpsProxy proxy) {
        return build(java.net.http.HttpClient.newBuilder(), proxy);
    }

    /** The same without a proxy from the environment. */
    public static HttpClient client() {
        return client(HttpsProxy.NONE);
    }

    /**
     * A client that trusts only the certificates in a PEM file, for an emulator.
     *
     * @throws IllegalArgumentException if the file cannot be read or contains no certificate
     */
    public static HttpClient clientTrusting(Path caFile, HttpsProxy proxy) {
        try {
            return build(java.net.http.HttpClient.newBuilder().sslContext(trusting(caFile)), proxy);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("%s must be a PEM file of certificates: %s".formatted(caFile, e), e);
        }
    }

    /** The same without a proxy from the environment. */
    public static HttpClient clientTrusting(Path caFile) {
        return clientTrusting(caFile, HttpsProxy.NONE);
    }

    private static HttpClient build(java.net.http.HttpClient.Builder builder, HttpsProxy proxy) {
        return BoundedHttpClient.of(new JdkHttpClientBuilder(proxy.on(builder.connectTimeout(CONNECT_TIMEOUT)))
                .configuration(Configuration.NONE) // the SDK has different rules for proxies in the environment
                .build());
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
