package dev.poolkeeper.k8s.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.GatedPodObjects;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.PodConditions;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.SystemTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesPodConditionsTest {

    private static final ReadinessCondition WAITING =
            new ReadinessCondition(false, "WaitingForPool", "Not yet.", Instant.parse("2026-11-01T12:00:00Z"));
    private static final ReadinessCondition READY = new ReadinessCondition(
            true, "InPool", "The backend pool holds node n1", WAITING.since().plusSeconds(9));

    private final TestCluster cluster = new TestCluster();
    private final SystemTime time = new SystemTime();
    private final KubernetesPodConditions conditions = new KubernetesPodConditions(cluster.client(), time);

    @AfterEach
    void close() {
        time.close();
        cluster.close();
    }

    private PodId create(String name) {
        return id(cluster.client()
                .resource(GatedPodObjects.of(cluster.namespace(), name))
                .create());
    }

    private static PodId id(Pod pod) {
        return new PodId(
                pod.getMetadata().getNamespace(),
                pod.getMetadata().getName(),
                pod.getMetadata().getUid());
    }

    private Pod read(PodId pod) {
        return cluster.client()
                .pods()
                .inNamespace(pod.namespace())
                .withName(pod.name())
                .get();
    }

    private PodState seen(PodId pod) {
        return state(pod).withVersion(read(pod).getMetadata().getResourceVersion());
    }

    private static PodState state(PodId pod) {
        return new PodState(pod, Map.of(), true, false, Optional.empty(), List.of(), Optional.empty(), "1");
    }

    private List<PodCondition> ours(PodId pod) {
        return read(pod).getStatus().getConditions().stream()
                .filter(one -> PodState.GATE.equals(one.getType()))
                .toList();
    }

    @Test
    @Rule(
            id = "Y10",
            says = "A readiness condition is set by a patch of pods/status with the Pod's uid and only this condition:"
                    + " other conditions are kept, and another Pod of that name is not changed.",
            source = "ours")
    void only_our_own_condition_is_set() {
        // given
        PodId pod = create("web-1");
        Pod running = new PodBuilder(read(pod))
                .editOrNewStatus()
                .withPodIP("10.244.0.9")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
        cluster.client().resource(running).patchStatus();
        // when
        assertThat(conditions.set(seen(pod), WAITING).join()).isEqualTo(new PodConditions.Written());
        assertThat(conditions.set(seen(pod), READY).join()).isEqualTo(new PodConditions.Written());
        // then
        assertThat(ours(pod)).singleElement().satisfies(one -> {
            assertThat(one.getStatus()).isEqualTo("True");
            assertThat(one.getReason()).isEqualTo("InPool");
            assertThat(one.getMessage()).isEqualTo("The backend pool holds node n1");
            assertThat(one.getLastTransitionTime()).isEqualTo("2026-11-01T12:00:09Z");
        });
        assertThat(read(pod).getStatus().getConditions())
                .extracting(PodCondition::getType)
                .contains("PodScheduled");
        assertThat(read(pod).getStatus().getPodIP()).isEqualTo("10.244.0.9");
    }

    @Test
    void a_pod_that_is_gone_is_reported_as_outdated() {
        PodId gone = new PodId(cluster.namespace(), "web-1", "uid-1");

        assertThat(conditions.set(state(gone), READY).join())
                .isInstanceOfSatisfying(
                        PodConditions.Outdated.class,
                        outdated -> assertThat(outdated.why())
                                .startsWith("HTTP 404")
                                .contains("web-1"));
    }

    @Test
    void a_refusal_gives_its_reason_and_nothing_is_read() {
        PodId pod = create("web-1");
        int before = cluster.emulator().requests().size();
        cluster.emulator().faults().deny(request -> Set.of("patch").contains(request.verb()));

        assertThat(conditions.set(state(pod), READY).join())
                .isInstanceOfSatisfying(
                        PodConditions.Refused.class,
                        refused -> assertThat(refused.why())
                                .startsWith("HTTP 403")
                                .contains("cannot patch resource \"pods/status\""));
        assertThat(cluster.emulator().requests().stream().skip(before))
                .extracting(request -> request.verb() + " " + request.resource() + "/" + request.subresource())
                .containsExactly("patch pods/status");
    }

    @Test
    void the_message_of_a_condition_is_safe() {
        PodId pod = create("web-1");
        conditions
                .set(state(pod), new ReadinessCondition(true, "InPool", HostileText.ALL, WAITING.since()))
                .join();

        HostileText.assertSafe(ours(pod).getFirst().getMessage());
    }

    static IntStream errors() {
        return IntStream.rangeClosed(400, 599);
    }

    @ParameterizedTest
    @MethodSource("errors")
    void only_not_found_and_conflict_mean_that_the_pod_changed(int status) {
        PodId pod = create("web-1");
        cluster.emulator().faults().fail(request -> request.verb().equals("patch"), status, 1);

        assertThat(conditions.set(state(pod), READY).join())
                .isInstanceOf(
                        status == 404 || status == 409 ? PodConditions.Outdated.class : PodConditions.Refused.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                                                                           | false
        <html>                                                                       | false
        null                                                                         | false
        {}                                                                           | false
        {"details": null}                                                            | false
        {"details": {"causes": null}}                                                | false
        {"details": {"causes": []}}                                                  | false
        {"details": {"causes": [null]}}                                              | false
        {"details": {"causes": [{}]}}                                                | false
        {"details": {"causes": [{"field": null, "message": "refused by a webhook"}]}} | false
        {"details": {"causes": [{"field": "status.conditions"}]}}                    | false
        {"details": {"causes": [{"field": "metadata.uid"}]}}                         | true
        {"details": {"causes": [{}, {"field": "metadata.uid"}]}}                     | true
        {"details": {"causes": [null, {"field": "metadata.uid"}]}}                   | true
        {"details": {"causes": [{"field": "status"}, {"field": "metadata.uid"}]}}    | true
        """)
    void an_invalid_patch_is_outdated_only_if_the_uid_is_the_cause(String body, boolean isOutdated) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] text = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(422, text.length == 0 ? -1 : text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.start();
        try (KubernetesClient client = KubernetesClients.forObjects(ApiServer.at(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort())))) {
            PodState pod = state(new PodId("shop", "web-1", "uid-1"));

            assertThat(new KubernetesPodConditions(client, time).set(pod, READY).join())
                    .isInstanceOf(isOutdated ? PodConditions.Outdated.class : PodConditions.Refused.class);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void an_unreachable_server_does_not_answer() {
        PodId pod = create("web-1");
        cluster.emulator().faults().unreachable(true);

        assertThat(conditions.set(state(pod), READY).join()).isInstanceOf(PodConditions.Unanswered.class);
    }

    @Test
    void a_connection_that_closes_without_a_response_is_no_answer() {
        PodId pod = create("web-1");
        cluster.emulator().faults().drop(request -> request.verb().equals("patch"));

        assertThat(conditions.set(state(pod), READY).join()).isInstanceOf(PodConditions.Unanswered.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200, 403, 404, 409, 500})
    void an_answered_request_leaves_no_timer_behind(int status) {
        PodId pod = create("web-1");
        FakeTime fake = new FakeTime();
        if (status == 0) {
            cluster.emulator().faults().drop(request -> request.verb().equals("patch"));
        } else if (status != 200) {
            cluster.emulator().faults().fail(request -> request.verb().equals("patch"), status, 1);
        }

        new KubernetesPodConditions(cluster.client(), fake)
                .set(state(pod), READY)
                .join();

        assertThat(fake.pending()).isZero();
    }
}
