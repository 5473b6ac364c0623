package dev.poolkeeper.k8s.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.kubeconfig.TlsApiServer.Seen;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** A kubeconfig in a folder, and requests with it to a TLS socket. */
final class KubeconfigFixture {

    final FakeTime time = new FakeTime();
    final Map<String, String> environment = new HashMap<>();
    final Path folder;
    final Path file;

    KubeconfigFixture(Path folder) {
        this.folder = folder;
        this.file = folder.resolve("kubeconfig");
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The key of the authority that signs the server's certificate. */
    static String authority() {
        return "certificate-authority-data: " + base64(TlsApiServer.AUTHORITY.certificatePem());
    }

    /** Cluster and user are keys in YAML's flow style, without the braces. */
    KubeconfigFixture write(String cluster, String user) throws IOException {
        Files.writeString(file, """
            apiVersion: v1
            kind: Config
            preferences: {}
            clusters: [{name: c, cluster: {%s}}]
            contexts: [{name: x, context: {cluster: c, user: u, namespace: shop}}]
            current-context: x
            users: [{name: u, user: {%s}}]
            """.formatted(cluster, user));
        return this;
    }

    ApiServers servers() {
        return new ApiServers(environment, time, folder.resolve("serviceaccount"));
    }

    /** The only request that the server has seen. */
    Seen sent(TlsApiServer server) throws BadInputException {
        return sent(server, servers().inFile(file, null));
    }

    static Seen sent(TlsApiServer server, ApiServer with) {
        server.seen().clear();
        try (KubernetesClient client = KubernetesClients.forObjects(with)) {
            client.nodes().list();
        }
        assertThat(server.seen()).hasSize(1);
        return server.seen().getFirst();
    }

    /** Why a request fails. */
    String failure() throws BadInputException {
        try (KubernetesClient client = KubernetesClients.forObjects(servers().inFile(file, null))) {
            Throwable failure = catchThrowable(() -> client.nodes().list());
            assertThat(failure).isNotNull();
            return ApiFailure.cause(failure);
        }
    }

    /** The faults of the file, one a line, with the file's name before each removed. */
    String faults() {
        BadInputException bad =
                catchThrowableOfType(BadInputException.class, () -> servers().inFile(file, null));
        assertThat(bad).as("a fault").isNotNull();
        return bad.getMessage().replace(file + ": ", "");
    }
}
