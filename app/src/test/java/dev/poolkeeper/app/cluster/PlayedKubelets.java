package dev.poolkeeper.app.cluster;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Simulates the scheduler and the kubelets for the Pods of a namespace, one Pod per node and each node once: the nodes
 * exist only as objects. A Pod's containers are ready three seconds after it was bound; Ready is computed from that and
 * from its readiness gates, like a kubelet does; a Pod that is being deleted serves for as long as its {@code preStop}
 * hook sleeps.
 */
final class PlayedKubelets {

    /** The Pods' {@code schedulerName}. */
    static final String SCHEDULER = "poolkeeper-test";

    private static final Duration CONTAINERS_READY = Duration.ofSeconds(3);

    private static final Duration BETWEEN_HEARTBEATS = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final String namespace;
    private final List<String> nodes;
    private final Deque<String> freeNodes;
    private final Map<String, Instant> bound = new HashMap<>();
    private final Map<String, Instant> deleted = new HashMap<>();
    private final Set<String> started = new HashSet<>();
    private final Set<String> ready = new HashSet<>();
    private List<Pod> pods = List.of();
    private Instant nextHeartbeat = Instant.MIN;

    /** @param nodes in the order in which they get Pods */
    PlayedKubelets(KubernetesClient client, String namespace, List<String> nodes) {
        this.client = client;
        this.namespace = namespace;
        this.nodes = List.copyOf(nodes);
        this.freeNodes = new ArrayDeque<>(nodes);
    }

    /** Checks all Pods, and runs due steps. */
    void step() {
        Instant now = Instant.now();
        if (!now.isBefore(nextHeartbeat)) {
            nextHeartbeat = now.plus(BETWEEN_HEARTBEATS);
            nodes.forEach(node -> heartbeat(node, now));
        }
        pods = client.pods().inNamespace(namespace).list().getItems();
        for (Pod pod : pods) {
            if (node(pod).isEmpty()) {
                bind(pod, now);
            } else if (pod.getMetadata().getDeletionTimestamp() != null) {
                end(pod, now);
            } else {
                run(pod, now);
            }
        }
    }

    /** Without it the node's Pods would count as not ready after a minute. */
    private void heartbeat(String node, Instant now) {
        client.nodes()
                .withName(node)
                .subresource("status")
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), """
                    {"status": {"conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady",
                     "lastHeartbeatTime": "%s"}]}}
                    """.formatted(now.truncatedTo(ChronoUnit.SECONDS)));
    }

    private void bind(Pod pod, Instant now) {
        client.bindings()
                .inNamespace(namespace)
                .resource(new BindingBuilder()
                        .withNewMetadata()
                        .withName(name(pod))
                        .endMetadata()
                        .withNewTarget()
                        .withKind("Node")
                        .withName(freeNodes.remove())
                        .endTarget()
                        .build())
                .create();
        bound.put(name(pod), now);
    }

    private void run(Pod pod, Instant now) {
        boolean containersReady =
                !now.isBefore(bound.getOrDefault(name(pod), Instant.MIN).plus(CONTAINERS_READY));
        boolean isReady = containersReady
                && pod.getSpec().getReadinessGates().stream().allMatch(gate -> isTrue(pod, gate.getConditionType()));
        if (started.add(name(pod))) {
            status(pod, now, false, false);
        }
        if (isReady && ready.add(name(pod))) {
            status(pod, now, true, true);
        }
    }

    private void status(Pod pod, Instant now, boolean containersReady, boolean isReady) {
        String ip = "10.244.7." + started.size();
        client.pods()
                .inNamespace(namespace)
                .withName(name(pod))
                .subresource("status")
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), """
                    {"status": {"phase": "Running", "startTime": "%1$s", "podIP": "%2$s", "podIPs": [{"ip": "%2$s"}],
                     "conditions": [
                       {"type": "Initialized", "status": "True", "lastTransitionTime": "%1$s"},
                       {"type": "ContainersReady", "status": "%3$s", "lastTransitionTime": "%1$s"},
                       {"type": "Ready", "status": "%4$s", "lastTransitionTime": "%1$s"}]}}
                    """.formatted(
                        now.truncatedTo(ChronoUnit.SECONDS), ip(pod).orElse(ip), word(containersReady), word(isReady)));
    }

    private static String word(boolean value) {
        return value ? "True" : "False";
    }

    private void end(Pod pod, Instant now) {
        Instant since = deleted.computeIfAbsent(name(pod), name -> now);
        if (!now.isBefore(since.plus(preStop(pod)))) {
            client.pods()
                    .inNamespace(namespace)
                    .withName(name(pod))
                    .withGracePeriod(0)
                    .delete();
        }
    }

    private static Duration preStop(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .map(container -> container.getLifecycle())
                .filter(lifecycle -> lifecycle != null && lifecycle.getPreStop() != null)
                .map(lifecycle ->
                        Duration.ofSeconds(lifecycle.getPreStop().getSleep().getSeconds()))
                .findFirst()
                .orElse(Duration.ZERO);
    }

    /** The response of the node's {@code healthCheckNodePort}: whether a Pod there is ready and not being deleted. */
    boolean isHealthy(String node) {
        return on(node).stream()
                .anyMatch(pod -> ready.contains(name(pod)) && pod.getMetadata().getDeletionTimestamp() == null);
    }

    /** Whether a connection to the node is served, even by a Pod that is being deleted. */
    boolean serves(String node) {
        return on(node).stream().anyMatch(pod -> ready.contains(name(pod)));
    }

    private List<Pod> on(String node) {
        return pods.stream()
                .filter(pod -> node(pod).filter(node::equals).isPresent())
                .toList();
    }

    /** The nodes of the Pods, sorted. */
    List<String> nodes() {
        return pods.stream().flatMap(pod -> node(pod).stream()).sorted().toList();
    }

    private static boolean isTrue(Pod pod, String type) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .map(PodCondition::getStatus)
                .anyMatch("True"::equals);
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getName();
    }

    private static Optional<String> node(Pod pod) {
        return Optional.ofNullable(pod.getSpec().getNodeName());
    }

    private static Optional<String> ip(Pod pod) {
        return Optional.ofNullable(pod.getStatus().getPodIP());
    }
}
