package dev.poolkeeper.emulators.kube;

import static dev.poolkeeper.emulators.kube.KubeClient.LEASES;
import static dev.poolkeeper.emulators.kube.KubeClient.SERVICES;
import static dev.poolkeeper.emulators.kube.KubeClient.next;
import static dev.poolkeeper.emulators.kube.KubeClient.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60) // a silent watch must fail, not hang
class KubeFaultsTest {

    private static final String LEASE = "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"holderIdentity\":\"a\"}}";

    @RegisterExtension
    final KubeEmulatorExtension kube = new KubeEmulatorExtension(
            KubeSettings.DEFAULT.withToken("token-a", "a").withToken("token-b", "b"));

    private KubeClient a;
    private KubeClient b;

    @BeforeEach
    void clients() {
        a = new KubeClient(kube.emulator()).withToken("token-a");
        b = new KubeClient(kube.emulator()).withToken("token-b");
    }

    /** Completes when the first request of a user has arrived. */
    private BlockingQueue<String> arrivalsOf(String user) {
        BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
        kube.emulator().faults().hold(request -> {
            boolean held = request.user().equals(user);
            if (held) {
                arrived.add(request.verb());
            }
            return held;
        });
        return arrived;
    }

    private String holder() throws Exception {
        return b.get(LEASES + "/l").at("/spec/holderIdentity").asText();
    }

    @Test
    void a_hanging_request_is_served_late_without_delaying_others() throws Exception {
        BlockingQueue<String> arrived = arrivalsOf("a");
        var hanging = a.sending("POST", LEASES, "application/json", LEASE);
        assertThat(arrived.poll(20, TimeUnit.SECONDS)).isEqualTo("create");

        assertThat(b.send("GET", LEASES + "/l", "").statusCode()).isEqualTo(404);
        assertThat(hanging).isNotDone();
        kube.emulator().faults().clear();

        assertThat(hanging.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        assertThat(holder()).isEqualTo("a");
    }

    @Test
    void a_hanging_request_ends_with_the_server() throws Exception {
        BlockingQueue<String> arrived = arrivalsOf("a");
        var hanging = a.sending("GET", SERVICES, "application/json", "");
        assertThat(arrived.poll(20, TimeUnit.SECONDS)).isEqualTo("list");

        kube.emulator().stop();

        assertThatThrownBy(() -> hanging.get(20, TimeUnit.SECONDS)).hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void one_client_can_be_partitioned_without_the_other() throws Exception {
        try (BufferedReader watchOfA = a.watch(SERVICES + "?watch=true");
                BufferedReader watchOfB = b.watch(SERVICES + "?watch=true")) {
            kube.emulator().faults().drop(request -> request.user().equals("a"));
            kube.emulator().apply(service("web"));

            assertThatThrownBy(() -> a.send("GET", SERVICES, "")).hasRootCauseInstanceOf(IOException.class);
            assertThat(b.send("GET", SERVICES, "").statusCode()).isEqualTo(200);
            assertThat(watchOfA.readLine()).isNull();
            assertThat(next(watchOfB).path("type").asText()).isEqualTo("ADDED");
        }
    }

    @Test
    void a_write_whose_response_is_lost_has_taken_effect() throws Exception {
        kube.emulator().faults().loseAnswers(request -> request.user().equals("a"));

        assertThatThrownBy(() -> a.send("POST", LEASES, LEASE)).hasRootCauseInstanceOf(IOException.class);
        assertThat(holder()).isEqualTo("a");
    }

    private JsonNode review(KubeClient client, String attributes) throws Exception {
        String body = "{\"spec\":{\"resourceAttributes\":%s}}".formatted(attributes);
        return KubeJson.MAPPER
                .readTree(client.send("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", body)
                        .body())
                .path("status");
    }

    @Test
    void a_denied_request_is_refused_as_an_access_review_predicts() throws Exception {
        kube.emulator()
                .faults()
                .deny(request -> request.user().equals("a") && request.verb().equals("list"));

        assertThat(a.send("GET", SERVICES, "").body())
                .contains("services is forbidden: User \\\"a\\\" cannot list resource \\\"services\\\" in API group"
                        + " \\\"\\\" in the namespace \\\"shop\\\"");
        assertThat(review(a, "{\"verb\":\"list\",\"resource\":\"services\"}")
                        .path("allowed")
                        .asBoolean())
                .isFalse();
        assertThat(review(a, "{\"verb\":\"watch\",\"resource\":\"services\"}")
                        .path("allowed")
                        .asBoolean())
                .isTrue();
        assertThat(review(b, "{\"verb\":\"list\",\"resource\":\"services\"}")
                        .path("allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void a_self_subject_review_returns_the_user() throws Exception {
        String review = b.send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                .body();

        assertThat(KubeJson.MAPPER
                        .readTree(review)
                        .at("/status/userInfo/username")
                        .asText())
                .isEqualTo("b");
    }

    @Test
    void an_unknown_token_is_refused() {
        KubeClient stranger = new KubeClient(kube.emulator());

        assertThat(stranger.send("GET", SERVICES, "").statusCode()).isEqualTo(401);
        assertThat(stranger.withToken("token-c").send("GET", "/version", "").statusCode())
                .isEqualTo(401);
        assertThat(stranger.send("GET", "/readyz", "").body()).isEqualTo("ok");
        assertThat(kube.emulator().requests()).isEmpty();
    }
}
