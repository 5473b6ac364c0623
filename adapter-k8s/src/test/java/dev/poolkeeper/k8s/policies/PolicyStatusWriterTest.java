package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.kube.CustomKind;
import dev.poolkeeper.ports.Term;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyStatusWriterTest {

    private static final String PATH = PolicyWorld.pathOf("near");

    private final PolicyWorld world = new PolicyWorld();
    private final Term term = Term.untilEnded();

    @AfterEach
    void close() {
        world.close();
    }

    private void lead() {
        world.statuses.lead(term);
        world.watcher.start();
    }

    private void awaitAccepted(String path, String reason) {
        world.until(reason + " at " + path, () -> world.accepted(path).equals(reason));
    }

    /** No work is left: the last change has been seen, evaluated and written. */
    private void awaitQuiet() {
        world.policy("z-last", 1);
        awaitAccepted(PolicyWorld.pathOf("z-last"), "Conflicted");
    }

    @Test
    @Rule(
            id = "P165",
            says = "The status of a policy has the condition Accepted for the Service, with the observed generation; a"
                    + " change is evaluated again, and lastTransitionTime changes only with the condition's status.",
            source = "Gateway API, PolicyStatus")
    void a_policy_in_force_is_accepted() {
        world.withTarget().policy("near", 13);
        lead();
        awaitAccepted(PATH, "Accepted");
        JsonNode entry = world.object(PATH).at("/status/ancestors/0");
        assertThat(entry.path("controllerName").asText()).isEqualTo("poolkeeper.dev/daemon");
        assertThat(entry.path("ancestorRef").toString())
                .isEqualTo("{\"group\":\"\",\"kind\":\"Service\",\"namespace\":\"poolkeeper\","
                        + "\"name\":\"azure-resource-manager\"}");
        JsonNode condition = entry.at("/conditions/0");
        assertThat(condition.path("status").asText()).isEqualTo("True");
        assertThat(condition.path("observedGeneration").asInt()).isEqualTo(1);
        String since = condition.path("lastTransitionTime").asText();
        world.time.advance(Duration.ofMinutes(1));
        world.policy("near", 14);
        // apply replaces the whole object, as kubectl replace does: the status has to come back
        world.until(
                "judged again",
                () -> world.condition(PATH, "Accepted")
                                .path("observedGeneration")
                                .asInt()
                        == 2);
        assertThat(since).isNotEmpty();
    }

    @Test
    void an_up_to_date_status_is_not_written() {
        world.withTarget().policy("near", 13);
        lead();
        awaitAccepted(PATH, "Accepted");
        awaitQuiet();
        long writes = world.statusWrites();
        world.statuses.setStandings(world.snapshot.standings(world.policies()));
        world.kube.compact();
        world.kube.cutWatches();
        world.time.advance(Duration.ofMinutes(1));
        world.policy("z-other", 3);
        awaitAccepted(PolicyWorld.pathOf("z-other"), "Conflicted");
        assertThat(world.statusWrites()).isEqualTo(writes + 1);
    }

    @Test
    @Rule(
            id = "P166",
            says = "Of conflicting policies the oldest is accepted, and the others are Conflicted and name it; when it"
                    + " is deleted, the next one takes its place.",
            source = "GEP-713")
    void a_conflict_is_reported_on_the_younger_policies() {
        world.withTarget().policy("old", 13);
        world.time.advance(Duration.ofSeconds(2));
        world.policy("a-young", 14);
        lead();
        awaitAccepted(PolicyWorld.pathOf("a-young"), "Conflicted");
        awaitAccepted(PolicyWorld.pathOf("old"), "Accepted");
        assertThat(world.condition(PolicyWorld.pathOf("a-young"), "Accepted")
                        .path("message")
                        .asText())
                .contains("XBackendTrafficPolicy poolkeeper/old");
        assertThat(world.percent()).isEqualTo(13);
        world.kube.delete(PolicyWorld.pathOf("old"));
        awaitAccepted(PolicyWorld.pathOf("a-young"), "Accepted");
        assertThat(world.percent()).isEqualTo(14);
    }

    @Test
    void faults_are_reported() {
        world.policy("near", 13);
        world.policy(PolicyWorld.NAMESPACE, "bad", "azure-resource-manager", "{\"budget\":{\"percent\":300}}");
        lead();
        awaitAccepted(PATH, "TargetNotFound");
        awaitAccepted(PolicyWorld.pathOf("bad"), "Invalid");
        assertThat(world.condition(PolicyWorld.pathOf("bad"), "Accepted")
                        .path("message")
                        .asText())
                .contains("300", "percent", "Not in force");
        world.withTarget();
        awaitAccepted(PATH, "Accepted");
        world.policy(PolicyWorld.NAMESPACE, "near", "azure-resource-manager", "{\"budgets\":{}}");
        awaitAccepted(PATH, "Invalid");
        assertThat(world.condition(PATH, "Accepted").path("message").asText())
                .contains("budgets", "its previous settings stay in force");
        assertThat(world.percent()).isEqualTo(13);
    }

    @Test
    void the_message_of_a_condition_is_safe() {
        world.withTarget();
        String key = TextNode.valueOf(HostileText.SHORT).toString();
        world.policy(PolicyWorld.NAMESPACE, "bad", "azure-resource-manager", "{\"budget\":{" + key + ":1}}");
        lead();
        String path = PolicyWorld.pathOf("bad");
        awaitAccepted(path, "Invalid");
        String message = world.condition(path, "Accepted").path("message").asText();
        assertThat(message).contains("FORGED");
        HostileText.assertSafe(message);
    }

    @Test
    @Rule(
            id = "P167",
            says = "An HTTPRoute for the Service gets an entry for that parent: Accepted, with the codes that are left"
                    + " to the updater, and ResolvedRefs.",
            source = "Gateway API, RouteStatus; ours")
    void a_route_reports_ignored_fields_and_unresolved_references() {
        world.withTarget();
        world.route("calls", "{\"retry\":{\"codes\":[429,500],\"attempts\":2}}");
        lead();
        String path = PolicyWorld.pathOfRoute("calls");
        awaitAccepted(path, "Accepted");
        assertThat(world.condition(path, "Accepted").path("message").asText()).contains("retry.codes 429 ignored");
        assertThat(world.condition(path, "ResolvedRefs").path("status").asText())
                .isEqualTo("True");
        assertThat(world.object(path).at("/status/parents/0/parentRef/port").asInt())
                .isEqualTo(443);
        world.route("calls", "{\"backendRefs\":[{\"name\":\"web\",\"port\":80}]}");
        world.until(
                "not resolved",
                () -> world.condition(path, "ResolvedRefs")
                        .path("reason")
                        .asText()
                        .equals("BackendNotFound"));
    }

    @Test
    @Rule(
            id = "P168",
            says = "Entries and conditions of other controllers are kept; a full list of ancestors gets no further"
                    + " entry, and the policy still counts; our entry is removed when the policy has another target.",
            source = "Gateway API, PolicyStatus")
    void entries_of_other_controllers_are_kept() {
        world.withTarget();
        String others = IntStream.range(0, 16)
                .mapToObj(i ->
                        "{\"ancestorRef\":{\"name\":\"g%d\"},\"controllerName\":\"example.com/c\",\"conditions\":[]}"
                                .formatted(i))
                .collect(Collectors.joining(","));
        apply("near", "azure-resource-manager", others);
        apply("one", "azure-resource-manager", others.substring(0, others.indexOf("},{\"ancestorRef") + 1));
        lead();
        awaitAccepted(PolicyWorld.pathOf("one"), "Conflicted");
        assertThat(world.object(PolicyWorld.pathOf("one")).at("/status/ancestors"))
                .hasSize(2);
        assertThat(world.object(PATH).at("/status/ancestors")).hasSize(16);
        assertThat(world.percent()).isEqualTo(13);
        String one = world.object(PolicyWorld.pathOf("one"))
                .path("status")
                .path("ancestors")
                .toString();
        apply("one", "web", one.substring(1, one.length() - 1));
        world.until(
                "our entry is gone",
                () -> world.object(PolicyWorld.pathOf("one"))
                                .at("/status/ancestors")
                                .size()
                        == 1);
        assertThat(world.object(PolicyWorld.pathOf("one"))
                        .at("/status/ancestors/0/controllerName")
                        .asText())
                .isEqualTo("example.com/c");
    }

    private void apply(String name, String target, String ancestors) {
        world.kube.apply("""
            {"apiVersion":"gateway.networking.x-k8s.io/v1alpha1","kind":"XBackendTrafficPolicy",
             "metadata":{"name":"%s","namespace":"poolkeeper"},
             "spec":{"targetRefs":[{"group":"","kind":"Service","name":"%s"}],
                     "retryConstraint":{"budget":{"percent":13}}},
             "status":{"ancestors":[%s]}}\
            """.formatted(name, target, ancestors));
    }

    @Test
    @Rule(
            id = "P169",
            says = "Only the leader writes statuses, with the resourceVersion that it read; after a conflict (409) it"
                    + " reads and writes again, and a refusal is retried later.",
            source = "ours")
    void only_the_leader_writes() {
        world.withTarget().policy("near", 13);
        world.watcher.start();
        world.until("obeyed by a standby", () -> world.percent() == 13);
        assertThat(world.statusWrites()).isZero();
        world.kube.faults().fail(PolicyWorld::isStatusWrite, 409, 2);
        world.statuses.lead(term);
        awaitAccepted(PATH, "Accepted");
        assertThat(world.statusWrites()).isEqualTo(3);
        world.kube.faults().fail(PolicyWorld::isStatusWrite, 403, 1);
        world.policy("second", 14);
        world.until("refused", () -> world.statusWrites() == 4);
        world.time.advance(Duration.ofSeconds(1));
        awaitAccepted(PolicyWorld.pathOf("second"), "Conflicted");
        term.end();
        world.policy("third", 15);
        world.until("seen", () -> world.snapshot.objects().size() == 3);
        assertThat(world.statusWrites()).isEqualTo(5);
    }

    @Test
    void a_replica_that_lost_leadership_while_reading_writes_nothing() {
        // given
        world.withTarget().policy("near", 13);
        world.watcher.start();
        world.until("obeyed by a standby", () -> world.percent() == 13);
        Standing standing = world.snapshot.standings(world.policies()).get(0);
        StatusRequests requests = new StatusRequests(world.cluster.client(), world.time);
        // when
        boolean isOver = requests.write(standing, () -> false);
        // then
        assertThat(isOver).isTrue();
        assertThat(world.statusWrites()).isZero();
        // when
        requests.write(standing, () -> true);
        // then
        assertThat(world.statusWrites()).isEqualTo(1);
    }

    @Test
    void a_profile_without_a_status_gets_an_event() {
        world.withTarget();
        world.kube.apply("""
            {"apiVersion":"linkerd.io/v1alpha2","kind":"ServiceProfile",
             "metadata":{"name":"azure-resource-manager.poolkeeper.svc.cluster.local","namespace":"poolkeeper"},
             "spec":{"retryBudget":{"retryRatio":0.3},"routes":[]}}\
            """);
        lead();
        world.until(
                "an Event",
                () -> world.object("/apis/events.k8s.io/v1/namespaces/poolkeeper/events")
                                .path("items")
                                .size()
                        == 1);
        JsonNode event = world.object("/apis/events.k8s.io/v1/namespaces/poolkeeper/events")
                .at("/items/0");
        assertThat(event.path("reason").asText()).isEqualTo("PolicyAccepted");
        assertThat(event.at("/regarding/kind").asText()).isEqualTo("ServiceProfile");
    }

    @Test
    @Rule(
            id = "P173",
            says = "A policy whose status the API server always refuses is retried with increasing backoff, and does"
                    + " not delay the status of others.",
            source = "ours")
    void a_policy_whose_status_is_always_refused_delays_no_other() {
        world.withTarget();
        world.kube
                .faults()
                .fail(
                        request -> PolicyWorld.isStatusWrite(request)
                                && request.name().equals("a-bad"),
                        422,
                        1_000);
        world.policy("a-bad", 20);
        for (int i = 0; i < 100; i++) {
            world.policy("policy-%02d".formatted(i), i);
        }
        lead();
        for (int i = 0; i < 100; i++) {
            awaitAccepted(PolicyWorld.pathOf("policy-%02d".formatted(i)), "Conflicted");
        }
        long writes = world.statusWrites();
        world.time.advance(Duration.ofMinutes(10));
        awaitQuiet();
        assertThat(writes).isLessThan(110); // a-bad once, and again for its change
        assertThat(world.statusWrites() - writes).isBetween(10L, 20L);
    }

    @Test
    @Rule(
            id = "P174",
            says = "Policies in force get their status before the others, however many conflict.",
            source = "ours")
    void the_policy_in_force_gets_its_status_first() {
        world.withTarget().policy("z-oldest", 13);
        world.time.advance(Duration.ofSeconds(2));
        for (int i = 0; i < 100; i++) {
            world.policy("policy-%02d".formatted(i), i);
        }
        world.watcher.start();
        world.until("read", () -> world.snapshot.objects().size() == 101);
        world.statuses.lead(term);
        awaitAccepted(PolicyWorld.pathOf("policy-99"), "Conflicted");
        assertThat(world.kube.requests().stream()
                        .filter(PolicyWorld::isStatusWrite)
                        .findFirst()
                        .orElseThrow()
                        .name())
                .isEqualTo("z-oldest");
    }

    @Test
    void a_status_that_others_keep_writing_gets_our_entry_too() {
        world.withTarget().policy("near", 13);
        lead();
        for (int i = 0; i < 50; i++) {
            apply("near", "azure-resource-manager", """
                {"ancestorRef":{"name":"g%d"},"controllerName":"example.com/c","conditions":[]}\
                """.formatted(i));
        }
        awaitAccepted(PATH, "Accepted");
        assertThat(world.object(PATH).at("/status/ancestors/0/ancestorRef/name").asText())
                .isEqualTo("g49");
        assertThat(world.object(PATH).at("/status/ancestors")).hasSize(2);
        assertThat(world.percent()).isEqualTo(13);
    }

    @Test
    void a_malformed_status_is_replaced() {
        world.withTarget();
        for (String status : List.of("{\"ancestors\":\"none\"}", "{\"ancestors\":{\"a\":1}}", "[]", "\"x\"", "null")) {
            world.kube.apply("""
                {"apiVersion":"gateway.networking.x-k8s.io/v1alpha1","kind":"XBackendTrafficPolicy",
                 "metadata":{"name":"odd-%d","namespace":"poolkeeper"},
                 "spec":{"targetRefs":[{"group":"","kind":"Service","name":"azure-resource-manager"}],
                         "retryConstraint":{}},"status":%s}\
                """.formatted(Math.abs(status.hashCode()), status));
        }
        lead();
        world.until("read", () -> world.snapshot.objects().size() == 5);
        world.snapshot
                .objects()
                .forEach(object -> world.until(
                        "a status of " + object.id(),
                        () -> !world.accepted(PolicyWorld.pathOf(object.id().name()))
                                .isEmpty()));
    }

    @Test
    @Rule(
            id = "P175",
            says = "A kind that disappears while statuses are written does not stop the writing; once it is back, each"
                    + " status is updated.",
            source = "ours")
    void a_status_is_written_once_its_kind_is_back() {
        world.withTarget();
        for (int i = 0; i < 100; i++) {
            world.policy("policy-%02d".formatted(i), i);
        }
        lead();
        world.until("some are written", () -> world.statusWrites() > 10);
        world.kube.api().withdraw(CustomKind.X_BACKEND_TRAFFIC_POLICY);
        world.until(
                "the watch has failed",
                () -> world.watcher.statuses().stream()
                        .anyMatch(kind -> kind.kind().equals("XBackendTrafficPolicy")
                                && !kind.trouble().isEmpty()));
        assertThat(world.percent()).isZero();
        world.kube.api().serve(CustomKind.X_BACKEND_TRAFFIC_POLICY);
        world.time.advance(PolicyWatch.INTERVAL);
        awaitAccepted(PolicyWorld.pathOf("policy-00"), "Accepted");
        awaitAccepted(PolicyWorld.pathOf("policy-99"), "Conflicted");
    }

    @Test
    void hundreds_of_conflicts_are_all_reported() {
        world.withTarget();
        for (int i = 0; i < 300; i++) {
            world.policy("policy-%03d".formatted(i), i % 100);
        }
        lead();
        awaitAccepted(PolicyWorld.pathOf("policy-299"), "Conflicted");
        awaitAccepted(PolicyWorld.pathOf("policy-000"), "Accepted");
        assertThat(world.percent()).isZero();
        assertThat(world.statusWrites()).isEqualTo(300);
    }

    @Test
    void the_backends_of_every_rule_are_resolved() {
        world.withTarget().route("r", """
            {"backendRefs":[{"name":"azure-resource-manager","port":443}]},{"backendRefs":[{"name":"other","port":443}]}\
            """);
        lead();
        String path = PolicyWorld.pathOfRoute("r");
        world.until("a condition", () -> !world.condition(path, "ResolvedRefs").isMissingNode());
        assertThat(world.condition(path, "ResolvedRefs").path("reason").asText())
                .isEqualTo("BackendNotFound");
    }

    static List<RuntimeException> failures() {
        return List.of(
                new KubernetesClientException("planted"),
                new IllegalStateException("planted"),
                new NullPointerException("planted"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void an_object_whose_status_cannot_be_written_stops_no_other(RuntimeException failure) {
        // given
        world.withTarget().policy("near", 13);
        world.policy("second", 14);
        world.watcher.start();
        world.until("both are read", () -> world.snapshot.objects().size() == 2 && world.percent() == 13);
        PolicyStatusWriter writer = new PolicyStatusWriter(
                FailingClient.of(world.cluster.client(), "genericKubernetesResources", 1, failure), "me", world.time);
        // when
        writer.lead(term);
        writer.setStandings(world.snapshot.standings(world.policies()));
        world.time.runDue();
        // then
        assertThat(world.accepted(PATH)).isEmpty();
        assertThat(world.accepted(PolicyWorld.pathOf("second"))).isEqualTo("Conflicted");
        world.time.advance(Duration.ofSeconds(1));
        assertThat(world.accepted(PATH)).isEqualTo("Accepted");
    }

    @Test
    void other_fields_of_a_status_are_kept() {
        world.withTarget();
        world.kube.apply("""
            {"apiVersion":"gateway.networking.x-k8s.io/v1alpha1","kind":"XBackendTrafficPolicy",
             "metadata":{"name":"near","namespace":"poolkeeper"},
             "spec":{"targetRefs":[{"group":"","kind":"Service","name":"azure-resource-manager"}],"retryConstraint":{}},
             "status":{"another":{"a":1},"ancestors":null,"text":"x"}}\
            """);
        lead();
        awaitAccepted(PATH, "Accepted");
        assertThat(world.object(PATH).at("/status/another/a").asInt()).isEqualTo(1);
        assertThat(world.object(PATH).at("/status/text").asText()).isEqualTo("x");
    }

    @Test
    void after_an_error_the_next_standings_are_written() {
        // given
        world.withTarget().policy("near", 13);
        world.watcher.start();
        world.until("read", () -> world.percent() == 13);
        PolicyStatusWriter writer = new PolicyStatusWriter(
                FailingClient.of(
                        world.cluster.client(), "genericKubernetesResources", 1, new StackOverflowError("planted")),
                "me",
                world.time);
        writer.lead(term);
        writer.setStandings(world.snapshot.standings(world.policies()));
        assertThatThrownBy(world.time::runDue).hasMessage("planted");
        // when
        writer.setStandings(world.snapshot.standings(world.policies()));
        world.time.runDue();
        // then
        assertThat(world.accepted(PATH)).isEqualTo("Accepted");
    }
}
