package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyManifests;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What objects of each kind are told when another one, of the same kind or of another, sets the same. */
class StandingsTest {

    private static final String REFERENCE =
            "{\"group\": \"\", \"kind\": \"Service\", \"name\": \"azure-resource-manager\"}";

    static Stream<Arguments> pairs() {
        return Arrays.stream(PolicyKind.values())
                .flatMap(kind -> Arrays.stream(PolicyKind.values()).map(older -> Arguments.of(kind, older)));
    }

    /** The number is the day of its creation. */
    private static PolicyObject object(PolicyKind kind, int number) throws Exception {
        String name = switch (kind) {
            case ROUTE, TRAFFIC_POLICY -> "policy-" + number;
            case PROFILE -> "azure-resource-manager" + (number == 1 ? "" : ".poolkeeper.svc.n" + number);
        };
        String spec = switch (kind) {
            case ROUTE ->
                "{\"parentRefs\": [%s], \"rules\": [{\"retry\": {\"codes\": [503], \"attempts\": 1}}]}"
                        .formatted(REFERENCE);
            case TRAFFIC_POLICY ->
                "{\"targetRefs\": [%s], \"retryConstraint\": {\"budget\": {\"percent\": 10}}}".formatted(REFERENCE);
            case PROFILE -> "{\"retryBudget\": {\"retryRatio\": 0.3, \"minRetriesPerSecond\": 1, \"ttl\": \"20s\"}}";
        };
        String version = kind.versions().getFirst();
        return new PolicyReader(kind, version, "poolkeeper")
                .read(new ObjectMapper()
                        .readValue(
                                """
                                {"apiVersion": "%s", "kind": "%s", "spec": %s,
                                 "metadata": {"name": "%s", "namespace": "poolkeeper", "uid": "u-%s",
                                              "creationTimestamp": "2026-01-0%sT00:00:00Z"}}\
                                """.formatted(kind.apiVersion(version), kind.kind(), spec, name, number, number),
                                GenericKubernetesResource.class));
    }

    private static List<String> reasons(List<PolicyObject> objects) {
        PolicySnapshot snapshot = new PolicySnapshot(true, objects);
        return snapshot.standings(ArmPolicies.of(PolicyManifests.NONE.and(snapshot.manifests()))).stream()
                .map(standing -> standing.conditions().getFirst())
                .map(Standing.Condition::reason)
                .toList();
    }

    @ParameterizedTest(name = "a {0} beside an older {1}")
    @MethodSource("pairs")
    void the_younger_ones_that_set_the_same_are_told_of_the_conflict(PolicyKind kind, PolicyKind older)
            throws Exception {
        PolicyObject first = object(older, 1);
        PolicyObject second = object(kind, 2);
        PolicyObject third = object(kind, 3);
        // a ServiceProfile sets retries and the budget, the others one of them
        boolean same = kind == older || kind == PolicyKind.PROFILE || older == PolicyKind.PROFILE;
        String reason = same ? "Conflicted" : "Accepted";

        assertThat(reasons(List.of(first, second, third))).containsExactly("Accepted", reason, "Conflicted");
        assertThat(reasons(List.of(third, second, first))).containsExactly("Conflicted", reason, "Accepted");
        assertThat(reasons(List.of(second))).containsExactly("Accepted");
    }
}
