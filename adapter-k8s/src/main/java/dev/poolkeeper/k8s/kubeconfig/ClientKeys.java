package dev.poolkeeper.k8s.kubeconfig;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Gives each TLS handshake the client certificate that is valid at that time. Thread-safe. */
final class ClientKeys extends X509ExtendedKeyManager {

    private static final String ALIAS = "client";

    private final Supplier<Optional<ClientIdentity>> source;
    private volatile @Nullable ClientIdentity chosen;

    ClientKeys(Supplier<Optional<ClientIdentity>> source) {
        this.source = source;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        ClientIdentity current = source.get().orElse(null);
        if (current == null || !Arrays.asList(keyTypes).contains(current.key().getAlgorithm())) {
            return null;
        }
        chosen = current;
        return ALIAS;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineClientAlias(keyTypes, issuers, null);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        ClientIdentity current = chosen;
        return current == null ? null : current.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        ClientIdentity current = chosen;
        return current == null ? null : current.key();
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
