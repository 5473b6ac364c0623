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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
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
}
