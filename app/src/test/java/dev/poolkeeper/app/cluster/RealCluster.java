package dev.poolkeeper.app.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.kubeconfig.ApiServers;
import dev.poolkeeper.ports.SystemTime;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.UUID;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The cluster of {@code KUBECONFIG}, with a namespace for the test. All objects of the test are deleted at the end,
 * including cluster-scoped ones.
 */
final class RealCluster implements AutoCloseable {

    /** For {@link EnabledIfSystemProperty}: whether there is one. */
    static final String PROPERTY = "poolkeeper.realCluster";

    private final Config config = Config.autoConfigure(null);
    private final SystemTime time = new SystemTime();
    private final KubernetesClient client;
    private final String namespace =
            "poolkeeper-test-" + UUID.randomUUID().toString().substring(0, 8);
    private final Deque<HasMetadata> outsideNamespaces = new ArrayDeque<>();

    RealCluster() {
        try {
            client = KubernetesClients.forObjects(new ApiServers(System.getenv(), time).find(null));
        } catch (BadInputException e) {
            throw new AssertionError(e);
        }
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    KubernetesClient client() {
        return client;
    }

    String namespace() {
        return namespace;
    }

    /** Applies an object like {@code kubectl apply --server-side}. */
    void apply(HasMetadata object) {
        if (!namespace.equals(object.getMetadata().getNamespace())) {
            outsideNamespaces.push(object);
        }
        client.resource(object).fieldManager("poolkeeper-test").forceConflicts().serverSideApply();
    }

    /** The same for one of a manifest. */
    void apply(JsonNode object) {
        apply((HasMetadata) client.getKubernetesSerialization().unmarshal(object.toString()));
    }

    /** A node object without a machine. Its name is made unique for this test. */
    String addNode(String name, String address) {
        String full = namespace + "-" + name;
        apply(new NodeBuilder()
                .withNewMetadata()
                .withName(full)
                .endMetadata()
                .withNewSpec()
                .addNewTaint("NoSchedule", "poolkeeper.dev/test", null, null)
                .endSpec()
                .build());
        client.nodes()
                .withName(full)
                .subresource("status")
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), """
                    {"status": {"addresses": [{"type": "InternalIP", "address": "%s"}]}}
                    """.formatted(address));
        return full;
    }

    /** A kubeconfig of this service account, with exactly its permissions. */
    String kubeconfigOf(String serviceAccount) {
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(serviceAccount)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3_600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        return """
            apiVersion: v1
            kind: Config
            current-context: test
            contexts: [{name: test, context: {cluster: test, user: test}}]
            clusters: [{name: test, cluster: {server: "%s", certificate-authority-data: "%s"}}]
            users: [{name: test, user: {token: "%s"}}]
            """.formatted(config.getMasterUrl(), certificateAuthority(), token);
    }

    private String certificateAuthority() {
        if (config.getCaCertData() != null) {
            return config.getCaCertData();
        }
        try {
            return Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(config.getCaCertFile())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            outsideNamespaces.forEach(object -> client.resource(object).delete());
            client.namespaces().withName(namespace).delete();
        } finally {
            client.close();
            time.close();
        }
    }
}
