package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.k8s.client.Credential;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who we are to the API server.
 *
 * @param identity the client certificate; null for none
 * @param headers those of impersonation
 */
record User(
        Credential credential,
        @Nullable Supplier<Optional<ClientIdentity>> identity,
        Map<String, List<String>> headers) {

    static final User ANONYMOUS = new User(Credential.NONE, null, Map.of());
}
