package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.k8s.client.Credential;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who we are to the API server.
 *
 * @param identity the client certificate; null for none
 * @param headers those of impersonation
 */
record User(Credential credential, @Nullable IdentitySource identity, Map<String, List<String>> headers) {

    static final User ANONYMOUS = new User(Credential.NONE, null, Map.of());
}
