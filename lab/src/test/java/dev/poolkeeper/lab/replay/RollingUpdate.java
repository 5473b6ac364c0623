package dev.poolkeeper.lab.replay;

import dev.poolkeeper.fake.FakeCluster;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A Deployment that is rolled over to other nodes, one Pod per node, with {@code maxUnavailable: 0} and
 * {@code maxSurge: 1}; its controller, the kubelets and the EndpointSlice controller in one. A deleted Pod continues to
 * serve for as long as its {@code preStop} hook sleeps.
 */
final class RollingUpdate {

    /** From a Pod's creation until its containers are ready. */
    private static final Duration CONTAINERS_READY = Duration.ofSeconds(3);

    /**
     * The Deployment's settings.
     *
     * @param gated whether its Pods have the readiness gate
     * @param minReady {@code minReadySeconds}
     * @param preStop how long its {@code preStop} hook sleeps
     */
    record Manifest(boolean gated, Duration minReady, Duration preStop) {}

    private static final class Pod {

        final PodId id;
        final String node;
        final boolean isNew;
        final Instant containersReady;

        @Nullable
        Instant readySince;

        @Nullable
        Instant deleted;

        Pod(PodId id, String node, boolean isNew, Instant containersReady) {
            this.id = id;
            this.node = node;
            this.isNew = isNew;
            this.containersReady = containersReady;
        }
    }

    private final FakeCluster cluster;
    private final InstantSource clock;
    private final ServiceName service;
    private final Manifest manifest;
    private final int replicas;
    private final List<Pod> pods = new ArrayList<>();
    private int created;

    RollingUpdate(FakeCluster cluster, InstantSource clock, ServiceName service, Manifest manifest, int replicas) {
        this.cluster = cluster;
        this.clock = clock;
        this.service = service;
        this.manifest = manifest;
        this.replicas = replicas;
        for (int i = 0; i < replicas; i++) {
            create("old-" + i, false, clock.instant().minus(Duration.ofHours(1)));
        }
        pods.forEach(pod -> pod.readySince = pod.containersReady);
        publish();
    }

    /** The nodes of such a Deployment, before and after. */
    static List<String> allNodes(int replicas) {
        return IntStream.range(0, replicas)
                .boxed()
                .flatMap(i -> List.of("old-" + i, "new-" + i).stream())
                .toList();
    }

    private void create(String node, boolean isNew, Instant at) {
        Pod pod = new Pod(
                new PodId(service.namespace(), "web-" + created, "uid-" + created++),
                node,
                isNew,
                at.plus(CONTAINERS_READY));
        pods.add(pod);
        boolean gated = isNew && manifest.gated();
        cluster.put(new PodState(
                pod.id,
                gated ? Map.of("app", "web", PodState.LABEL, "true") : Map.of("app", "web"),
                gated,
                false,
                Optional.of(node),
                List.of("10.244.0." + created),
                Optional.empty(),
                "1"));
    }

    /** Runs due steps. */
    void step() {
        pods.forEach(this::kubelet);
        boolean someEnded = pods.removeIf(this::hasEnded);
        if (controller() || someEnded) {
            publish();
        }
    }

    private void kubelet(Pod pod) {
        boolean isReady = !clock.instant().isBefore(pod.containersReady)
                && cluster.pod(pod.id)
                        .filter(state -> !state.gated()
                                || state.condition()
                                        .map(ReadinessCondition::met)
                                        .orElse(false))
                        .isPresent();
        if (isReady && pod.readySince == null) {
            pod.readySince = clock.instant();
        }
    }

    private boolean hasEnded(Pod pod) {
        if (pod.deleted == null || clock.instant().isBefore(pod.deleted.plus(manifest.preStop()))) {
            return false;
        }
        cluster.deletePod(pod.id);
        return true;
    }

    /** Returns whether there are other Pods than before. */
    private boolean controller() {
        List<Pod> current = pods.stream().filter(pod -> pod.deleted == null).toList();
        long fresh = current.stream().filter(pod -> pod.isNew).count();
        if (current.size() <= replicas && fresh < replicas) {
            create("new-" + fresh, true, clock.instant());
            return true;
        }
        if (current.stream().filter(this::isAvailable).count() > replicas) {
            current.stream().filter(pod -> !pod.isNew).findFirst().ifPresent(pod -> pod.deleted = clock.instant());
        }
        return false;
    }

    private boolean isAvailable(Pod pod) {
        return pod.readySince != null && !clock.instant().isBefore(pod.readySince.plus(manifest.minReady()));
    }

    /** Pods are listed whatever their conditions, and for as long as they serve. */
    private void publish() {
        Set<String> uids = pods.stream().map(pod -> pod.id.uid()).collect(Collectors.toSet());
        cluster.put(new EndpointSliceState(
                service.namespace(),
                service.name() + "-1",
                service,
                "IPv4",
                pods.stream().map(pod -> pod.node).toList(),
                uids));
    }

    /** The nodes of its Pods, sorted. */
    List<String> nodes() {
        return pods.stream().map(pod -> pod.node).sorted().toList();
    }

    boolean isOver() {
        return pods.stream().allMatch(pod -> pod.isNew && isAvailable(pod)) && pods.size() == replicas;
    }

    /** The response of the node's {@code healthCheckNodePort}: whether a Pod there is ready and not being deleted. */
    boolean isHealthy(String node) {
        return pods.stream().anyMatch(pod -> pod.node.equals(node) && pod.readySince != null && pod.deleted == null);
    }

    /** Whether a connection to the node is served, even by a Pod that is being deleted. */
    boolean serves(String node) {
        return pods.stream().anyMatch(pod -> pod.node.equals(node) && pod.readySince != null);
    }
}
