package dev.poolkeeper.emulators.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.operator.OperatorCreationException;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority for one loopback server, and that server's certificate. Keys exist only in memory and are not
 * trusted by any system. Immutable.
 */
public final class LoopbackTls {

    private static final char[] NO_PASSWORD = new char[0];

    private final X509Certificate authority;
    private final SSLContext server;
    private final SSLContext client;

    private LoopbackTls(X509Certificate authority, SSLContext server, SSLContext client) {
        this.authority = authority;
        this.server = server;
        this.client = client;
    }

    /**
     * Creates new keys and certificates, which takes some milliseconds.
     *
     * @param now the certificates are valid from a day before this time to more than a year after it
     * @throws IllegalStateException if this JDK lacks a standard algorithm
     */
    public static LoopbackTls create(Instant now) {
        try {
            LoopbackAuthority authority = new LoopbackAuthority(now);
            KeyPair serverKeys = authority.newKeys();
            X509Certificate server = authority.loopbackServer(serverKeys.getPublic());
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("server", serverKeys.getPrivate(), NO_PASSWORD, new X509Certificate[] {
                server, authority.certificate()
            });
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keyManagers.init(store, NO_PASSWORD);
            return new LoopbackTls(
                    authority.certificate(),
                    context(keyManagers.getKeyManagers(), null),
                    context(null, trusting(authority.certificate())));
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("this JDK cannot create certificates", e);
        }
    }

    private static TrustManager[] trusting(X509Certificate authority) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, NO_PASSWORD);
        store.setCertificateEntry("authority", authority);
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(store);
        return trustManagers.getTrustManagers();
    }

    private static SSLContext context(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust)
            throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust, null);
        return context;
    }

    /** For the server. */
    public SSLContext server() {
        return server;
    }

    /** For clients in this process: trusts only this authority. */
    public SSLContext client() {
        return client;
    }

    /** The authority's certificate as PEM. */
    public String authorityPem() {
        try {
            Base64.Encoder base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
            return "-----BEGIN CERTIFICATE-----\n" + base64.encodeToString(authority.getEncoded())
                    + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was just made cannot be read", e);
        }
    }
}
