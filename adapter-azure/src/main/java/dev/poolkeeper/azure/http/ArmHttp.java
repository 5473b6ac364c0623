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
 * The HTTP clients that requests for tokens and to ARM go through: the JDK's own, which reads no answer beyond its
 * largest size. It sends a GET again, unseen by the caller, when a connection that it had kept turns out to be closed;
 * never a PUT.
 */
public final class ArmHttp {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private ArmHttp() {}

    /** A client that trusts the certificate authorities of the JDK. Thread-safe; to be shared. */
    public static HttpClient client(HttpsProxy proxy) {
        return build(java.net.http.HttpClient.newBuilder(), proxy);
    }

    /** The same without a proxy of the environment. */
    public static HttpClient client() {
        return client(HttpsProxy.NONE);
    }

    /**
     * A client that trusts the certificates of a PEM file and no others, for an emulator.
     *
     * @throws IllegalArgumentException if the file cannot be read or holds no certificate
     */
    public static HttpClient clientTrusting(Path caFile, HttpsProxy proxy) {
        try {
            return build(java.net.http.HttpClient.newBuilder().sslContext(trusting(caFile)), proxy);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("%s must be a PEM file of certificates: %s".formatted(caFile, e), e);
        }
    }

    /** The same without a proxy of the environment. */
    public static HttpClient clientTrusting(Path caFile) {
        return clientTrusting(caFile, HttpsProxy.NONE);
    }

    private static HttpClient build(java.net.http.HttpClient.Builder builder, HttpsProxy proxy) {
        return BoundedHttpClient.of(new JdkHttpClientBuilder(proxy.on(builder.connectTimeout(CONNECT_TIMEOUT)))
                .configuration(Configuration.NONE) // the SDK would read proxies from the environment by other rules
                .build());
    }

    private static SSLContext trusting(Path caFile) throws IOException, GeneralSecurityException {
        Collection<? extends Certificate> certificates;
        try (InputStream in = Files.newInputStream(caFile)) {
            certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException("it holds none");
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
