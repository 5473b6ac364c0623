package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.k8s.client.Credential;
import java.util.List;
import java.util.Map;

/**
 * Who we are to the API server.
 *
 * @param identity the client certificate
 * @param headers those of impersonation
 */
record User(Credential credential, IdentitySource identity, Map<String, List<String>> headers) {

    static final User ANONYMOUS = new User(Credential.NONE, IdentitySource.NONE, Map.of());
}
