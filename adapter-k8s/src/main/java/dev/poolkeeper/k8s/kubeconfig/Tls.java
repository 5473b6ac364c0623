package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.k8s.client.TlsSettings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How a TLS connection is made. Immutable.
 *
 * @param trust the only trusted authorities; null for those that the JDK trusts
 * @param trustsAny whether nothing is checked
 * @param serverName the name in the server's certificate; null for the host in its address
 * @param identity our own certificate
 */
record Tls(
        @Nullable List<X509Certificate> trust,
        boolean trustsAny,
        @Nullable String serverName,
        IdentitySource identity) {

    /** As the JDK does. */
    static final Tls USUAL = new Tls(null, false, null, IdentitySource.NONE);

    /** Checks neither certificate nor name. */
    static final Tls TRUSTING_ANY = new Tls(null, true, null, IdentitySource.NONE);

    static Tls trusting(List<X509Certificate> authorities) {
        return new Tls(List.copyOf(authorities), false, null, IdentitySource.NONE);
    }

    Tls withServerName(String name) {
        return new Tls(trust, trustsAny, name, identity);
    }

    Tls with(IdentitySource own) {
        return new Tls(trust, trustsAny, serverName, own);
    }

    /** Empty for the JDK's own. */
    Optional<TlsSettings> settings() {
        return equals(USUAL) ? Optional.empty() : Optional.of(new ClientTls(this, identity));
    }

    /** A new one, without TLS sessions. */
    SSLContext context(Optional<ClientIdentity> own) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            KeyManager[] keys =
                    own.map(one -> new KeyManager[] {new ClientKeys(one)}).orElse(null);
            context.init(keys, trustManagers(), null);
            return serverName == null ? context : ServerNameContext.of(context, serverName);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JDK lacks TLS", e);
        }
    }

    private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException, IOException {
        if (trustsAny) {
            return new TrustManager[] {new TrustAny()};
        }
        if (trust == null) {
            return null;
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate authority : trust) {
            store.setCertificateEntry("ca-" + store.size(), authority);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }
}
