package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.k8s.TestCluster;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProfileEventsTest {

    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster();
    private final ProfileEvents events = new ProfileEvents(cluster.client(), "poolkeeper-0", time);

    @AfterEach
    void close() {
        cluster.close();
    }

    static Standing standing(String namespace, long generation, String reason, String message) {
        PolicyObject.Id id =
                new PolicyObject.Id(PolicyKind.PROFILE, "v1alpha2", namespace, "azure-resource-manager", "uid-1");
        return new Standing(
                new PolicyObject(id, generation, List.of(), PolicyManifests.NONE, List.of(), List.of()),
                List.of(new Standing.Condition(Standing.ACCEPTED, false, reason, message)));
    }

    @ParameterizedTest
    @CsvSource({"1, Conflicted, one, 1", "1, Conflicted, two, 2", "1, Invalid, one, 2", "2, Conflicted, one, 2"})
    void there_is_one_event_for_each_generation_reason_and_message(
            long generation, String reason, String message, int written) {
        events.report(standing(cluster.namespace(), 1, "Conflicted", "one"));
        time.advance(Duration.ofSeconds(1));
        events.report(standing(cluster.namespace(), generation, reason, message));
        events.report(standing(cluster.namespace(), generation, reason, message));
        assertThat(written()).hasSize(written);
    }

    static Stream<RuntimeException> failures() {
        return Stream.of(
                new KubernetesClientException("no answer"),
                new KubernetesClientException("denied", 403, null),
                new KubernetesClientException("busy", 503, null),
                new IllegalStateException("closed"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void an_event_that_could_not_be_written_is_written_once_by_a_later_report(RuntimeException failure) {
        Standing standing = standing(cluster.namespace(), 1, "Conflicted", "one");
        ProfileEvents failing =
                new ProfileEvents(FailingClient.of(cluster.client(), "events", 2, failure), "poolkeeper-0", time);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> failing.report(standing)).isSameAs(failure);
        }

        failing.report(standing);
        failing.report(standing);

        assertThat(written()).hasSize(1);
    }

    private List<Event> written() {
        return cluster.client()
                .events()
                .v1()
                .events()
                .inNamespace(cluster.namespace())
                .list()
                .getItems();
    }

    @ParameterizedTest
    @CsvSource({"true, Accepted, Normal, PolicyAccepted", "false, Conflicted, Warning, PolicyConflicted"})
    void an_event_says_which_object_it_is_about_when_and_how_it_stands(
            boolean holds, String reason, String type, String written) {
        String name = "azure-resource-manager." + "n".repeat(230);
        PolicyObject.Id id = new PolicyObject.Id(PolicyKind.PROFILE, "v1alpha1", cluster.namespace(), name, "uid-1");
        events.report(new Standing(
                new PolicyObject(id, 1, List.of(), PolicyManifests.NONE, List.of(), List.of()),
                List.of(new Standing.Condition(Standing.ACCEPTED, holds, reason, "x".repeat(1_001)))));

        assertThat(written()).singleElement().satisfies(event -> {
            assertThat(event.getMetadata().getName()).hasSize(253).startsWith("azure-resource-manager.nnn");
            assertThat(event.getType()).isEqualTo(type);
            assertThat(event.getReason()).isEqualTo(written);
            assertThat(event.getNote()).isEqualTo("x".repeat(1_000) + "...");
            assertThat(event.getEventTime().getTime()).isEqualTo("2026-03-01T12:00:00.000000Z");
            assertThat(event.getReportingController()).isEqualTo("poolkeeper.dev/daemon");
            assertThat(event.getReportingInstance()).isEqualTo("poolkeeper-0");
            assertThat(event.getRegarding().getApiVersion()).isEqualTo("linkerd.io/v1alpha1");
            assertThat(event.getRegarding().getKind()).isEqualTo("ServiceProfile");
            assertThat(event.getRegarding().getNamespace()).isEqualTo(cluster.namespace());
            assertThat(event.getRegarding().getName()).isEqualTo(name);
            assertThat(event.getRegarding().getUid()).isEqualTo("uid-1");
        });
    }

    @Test
    void an_object_that_came_back_gets_its_event_again() {
        Standing standing = standing(cluster.namespace(), 1, "Conflicted", "one");
        events.report(standing);
        time.advance(Duration.ofSeconds(1));
        events.retain(Set.of(standing.object().id()));
        events.report(standing);
        assertThat(written()).hasSize(1);
        events.retain(Set.of());
        events.report(standing);
        assertThat(written()).hasSize(2);
    }
}
