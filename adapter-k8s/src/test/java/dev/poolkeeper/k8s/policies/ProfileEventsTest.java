package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.k8s.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        assertThat(cluster.client()
                        .events()
                        .v1()
                        .events()
                        .inNamespace(cluster.namespace())
                        .list()
                        .getItems())
                .hasSize(written);
    }
}
