package dev.poolkeeper.k8s;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.kubeconfig.ApiServers;
import dev.poolkeeper.ports.SystemTime;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The cluster under test: the emulator, or with {@code -Preal-cluster} the cluster of {@code KUBECONFIG}, in its own
 * namespace that is deleted at the end.
 */
public final class TestCluster implements AutoCloseable {

    private static final boolean REAL = Boolean.getBoolean("poolkeeper.realCluster");

    private final KubeEmulator emulator;
    private final ApiServer server;
    private final KubernetesClient client;
    private final String namespace;
    private final List<Node> nodes = new ArrayList<>();

    public TestCluster() {
        this(KubeSettings.DEFAULT);
    }

    /** @param settings of the emulator; without TLS and tokens */
    public TestCluster(KubeSettings settings) {
        try {
            emulator = REAL ? null : KubeEmulator.start(settings);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server = REAL ? realServer() : ApiServer.at(emulator.uri());
        client = KubernetesClients.forObjects(server);
        namespace = REAL ? "poolkeeper-test-" + UUID.randomUUID().toString().substring(0, 8) : "shop";
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Its time is never closed: one test process has one cluster. */
    private static ApiServer realServer() {
        try {
            return new ApiServers(System.getenv(), new SystemTime()).find(null);
        } catch (BadInputException e) {
            throw new AssertionError(e);
        }
    }

    public KubernetesClient client() {
        return client;
    }

    public KubernetesClient leaseClient() {
        return leaseClient(Duration.ofSeconds(10));
    }

    /** A client whose requests may take half of this time at most. */
    public KubernetesClient leaseClient(Duration renewDeadline) {
        return KubernetesClients.forLeases(server, renewDeadline);
    }

    public String namespace() {
        return namespace;
    }

    /** The emulator; a test that needs it is skipped on a real cluster. */
    public KubeEmulator emulator() {
        assumeFalse(REAL, "needs the emulator's faults");
        return emulator;
    }

    public void put(HasMetadata object) {
        if (emulator != null) {
            emulator.apply(client.getKubernetesSerialization().asJson(object));
            return;
        }
        if (object instanceof Node node) {
            nodes.add(node);
        }
        HasMetadata there = client.resource(object).get();
        if (there == null) {
            client.resource(object).create();
        } else {
            client.resource(object).update();
        }
        if (object instanceof Node) {
            client.resource(object).patchStatus();
        }
    }

    public void delete(String path, HasMetadata object) {
        if (emulator != null) {
            emulator.delete(path);
        } else {
            client.resource(object).delete();
        }
    }

    @Override
    public void close() {
        if (emulator == null) {
            nodes.forEach(node -> client.resource(node).delete());
            client.namespaces().withName(namespace).delete();
        }
        client.close();
        if (emulator != null) {
            emulator.close();
        }
    }
}
