package dev.poolkeeper.k8s.watch;

import static dev.poolkeeper.k8s.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ObservedCluster;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.GatedPodObjects;
import dev.poolkeeper.k8s.Objects;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ServiceState;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The watch of Pods that opted in to the readiness gate. */
class PodWatchTest {

    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster();
    private final KubeEmulator emulator = cluster.emulator();
    private final ObservedCluster observed = new ObservedCluster();
    private ClusterWatcher watcher = watcher(Optional.of(new PodScope(List.of())));

    private ClusterWatcher watcher(Optional<PodScope> scope) {
        return new ClusterWatcher(cluster.client(), WatchSettings.DEFAULT, time, List.of(observed), scope);
    }

    @AfterEach
    void close() {
        watcher.close();
        cluster.close();
    }

    private void start(int watches) {
        watcher.start();
        until(time, "synced", () -> watcher.hasSynced() && (watches == 3 || watcher.hasSyncedPods("shop")));
        until(time, "watches", () -> emulator.openWatches() == watches);
    }

    private Pod create(Pod pod) {
        return cluster.client().resource(pod).create();
    }

    private Optional<PodState> known(String name) {
        return observed.find("Pod " + name).map(PodState.class::cast);
    }

    private void label(Pod pod, String value) {
        cluster.client()
                .resource(new PodBuilder(pod)
                        .editMetadata()
                        .withResourceVersion(null)
                        .addToLabels(PodState.LABEL, value)
                        .endMetadata()
                        .build())
                .update();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule(
            id = "Y11",
            says = "Only the Pods with the label poolkeeper.dev/readiness-gate: \"true\" are read and watched, and"
                    + " only if the readiness gate is enabled.",
            source = "ours")
    void only_labelled_pods_are_read_and_watched(boolean byList) {
        emulator.faults().refuseWatchLists(byList);
        create(GatedPodObjects.of("shop", "labelled"));
        Pod plain = create(new PodBuilder(GatedPodObjects.of("shop", "plain"))
                .editMetadata()
                .removeFromLabels(PodState.LABEL)
                .endMetadata()
                .build());
        start(4);
        assertThat(known("shop/labelled")).isPresent();
        assertThat(known("shop/plain")).isEmpty();

        label(plain, "true");
        until(time, "labelled later", () -> known("shop/plain").isPresent());
        label(plain, "false");
        until(time, "no longer labelled", () -> known("shop/plain").isEmpty());
    }

    @Test
    void without_a_scope_no_pods_are_requested_and_no_extra_fields_are_kept() {
        watcher = watcher(Optional.empty());
        create(GatedPodObjects.of("shop", "labelled"));
        cluster.put(new ServiceBuilder(Objects.service("shop", "web"))
                .editSpec()
                .addToSelector("app", "web")
                .endSpec()
                .build());
        start(3);

        assertThat(emulator.requests())
                .filteredOn(request -> request.resource().equals("pods"))
                .extracting(request -> request.verb())
                .containsOnly("create");
        assertThat(observed.find("Service shop/web")
                        .map(ServiceState.class::cast)
                        .orElseThrow()
                        .selector())
                .isEmpty();
    }

    @Test
    void selected_namespaces_are_watched_one_by_one() {
        cluster.put(new NamespaceBuilder()
                .withNewMetadata()
                .withName("bank")
                .endMetadata()
                .build());
        watcher = watcher(Optional.of(new PodScope(List.of("shop"))));
        create(GatedPodObjects.of("shop", "in"));
        create(GatedPodObjects.of("bank", "out"));
        start(4);

        assertThat(known("shop/in")).isPresent();
        assertThat(known("bank/out")).isEmpty();
        assertThat(emulator.requests())
                .filteredOn(request ->
                        request.resource().equals("pods") && !request.verb().equals("create"))
                .extracting(request -> request.namespace())
                .containsOnly("shop");
        assertThat(watcher.statuses()).extracting(WatchStatus::kind).contains("Pod in shop");
    }

    @Test
    void the_fields_that_the_gate_needs_are_kept() {
        Pod pod = create(GatedPodObjects.of("shop", "web-1"));
        cluster.client()
                .resource(new PodBuilder(pod)
                        .editSpec()
                        .withNodeName("n1")
                        .endSpec()
                        .build())
                .update();
        cluster.client()
                .resource(new PodBuilder(pod)
                        .editMetadata()
                        .withResourceVersion(null)
                        .endMetadata()
                        .withNewStatus()
                        .withPhase("Running")
                        .addNewPodIP("10.244.0.9")
                        .addNewPodIP("fd00::9")
                        .addNewCondition()
                        .withType("PodScheduled")
                        .withStatus("True")
                        .withLastTransitionTime("2026-11-01T11:59:00Z")
                        .endCondition()
                        .addNewCondition()
                        .withType(PodState.GATE)
                        .withStatus("False")
                        .withReason("Held")
                        .withMessage("Wait.")
                        .withLastTransitionTime("2026-11-01T12:00:00Z")
                        .endCondition()
                        .endStatus()
                        .build())
                .updateStatus();
        cluster.put(new ServiceBuilder(Objects.service("shop", "web"))
                .editSpec()
                .addToSelector("app", "web")
                .endSpec()
                .build());
        cluster.put(new EndpointSliceBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("web-1")
                .endMetadata()
                .withAddressType("IPv4")
                .addNewEndpoint()
                .withNodeName("n1")
                .withNewTargetRef()
                .withKind("Pod")
                .withUid(pod.getMetadata().getUid())
                .endTargetRef()
                .endEndpoint()
                .build());
        start(4);

        PodState state = known("shop/web-1").orElseThrow();
        assertThat(state.id().uid()).isEqualTo(pod.getMetadata().getUid());
        assertThat(state.gated()).isTrue();
        assertThat(state.ending()).isFalse();
        assertThat(state.labels()).containsEntry("app", "web");
        assertThat(state.node()).hasValue("n1");
        assertThat(state.ips()).containsExactly("10.244.0.9", "fd00::9");
        assertThat(state.condition().orElseThrow().reason()).isEqualTo("Held");
        assertThat(state.condition().orElseThrow().since()).isEqualTo("2026-11-01T12:00:00Z");
        assertThat(observed.find("Service shop/web")
                        .map(ServiceState.class::cast)
                        .orElseThrow()
                        .selector())
                .isEqualTo(Map.of("app", "web"));
        assertThat(observed.find("EndpointSlice shop/web-1")
                        .map(EndpointSliceState.class::cast)
                        .orElseThrow()
                        .podUids())
                .isEqualTo(Set.of(pod.getMetadata().getUid()));
    }

    @Test
    void a_namespace_whose_pods_must_not_be_listed_delays_no_other() {
        cluster.put(new NamespaceBuilder()
                .withNewMetadata()
                .withName("bank")
                .endMetadata()
                .build());
        emulator.faults()
                .deny(request -> request.resource().equals("pods")
                        && request.namespace().equals("bank")
                        && !request.verb().equals("create"));
        create(GatedPodObjects.of("shop", "in"));
        watcher = watcher(Optional.of(new PodScope(List.of("bank", "gone", "shop"))));
        watcher.start();
        until(time, "synced", () -> watcher.hasSynced() && watcher.hasSyncedPods("shop"));

        assertThat(known("shop/in")).isPresent();
        assertThat(watcher.hasSyncedPods("bank")).isFalse();
        assertThat(watcher.hasSyncedPods("cafe")).isFalse();
    }

    @Test
    void a_missing_permission_for_pods_delays_nothing_else() {
        emulator.faults().deny(request -> request.resource().equals("pods"));
        watcher.start();
        until(time, "the rest synced", watcher::hasSynced);

        assertThat(watcher.hasSyncedPods("shop")).isFalse();
    }
}
