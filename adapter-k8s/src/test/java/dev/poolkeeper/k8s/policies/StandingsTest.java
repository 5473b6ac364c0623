package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyManifests;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"name": "azure-resource-manager"}                                                | ResolvedRefs
        {"group": "", "kind": "Service", "name": "azure-resource-manager"}                | ResolvedRefs
        {"name": "azure-resource-manager", "namespace": "poolkeeper"}                     | ResolvedRefs
        {"name": "azure-resource-manager", "namespace": "other"}                          | RefNotPermitted
        {"name": "web", "namespace": "other"}                                             | RefNotPermitted
        {"name": "web"}                                                                   | BackendNotFound
        {"name": "web", "namespace": "poolkeeper"}                                        | BackendNotFound
        {"group": "multicluster.x-k8s.io", "kind": "ServiceImport", "name": "azure-resource-manager"} | InvalidKind
        {"group": "multicluster.x-k8s.io", "kind": "ServiceImport", "name": "web", "namespace": "other"} | InvalidKind
        """)
    void a_route_is_told_why_a_backend_is_not_resolved(String backend, String reason) throws Exception {
        PolicyObject route = new PolicyReader(PolicyKind.ROUTE, "v1", "poolkeeper")
                .read(new ObjectMapper()
                        .readValue(
                                """
                                {"metadata": {"name": "calls"}, "spec": {"parentRefs": [%s], "rules": [
                                  {"backendRefs": [{"name": "azure-resource-manager", "port": 443}]}, {"backendRefs": [%s]}]}}\
                                """.formatted(REFERENCE, backend.replace("}", ", \"port\": 443}")),
                                GenericKubernetesResource.class));
        PolicySnapshot snapshot = new PolicySnapshot(true, List.of(route));

        Standing.Condition resolved = snapshot.standings(ArmPolicies.of(PolicyManifests.NONE.and(snapshot.manifests())))
                .getFirst()
                .conditions()
                .getLast();

        assertThat(resolved.type()).isEqualTo("ResolvedRefs");
        assertThat(resolved.reason()).isEqualTo(reason);
        assertThat(resolved.holds()).isEqualTo(reason.equals("ResolvedRefs"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1 | p1: bad. Not in force
        2 | p1: bad; p2: bad. Not in force
        5 | p1: bad; p2: bad; p3: bad; p4: bad; p5: bad. Not in force
        6 | p1: bad; p2: bad; p3: bad; p4: bad; p5: bad; and 1 more. Not in force
        9 | p1: bad; p2: bad; p3: bad; p4: bad; p5: bad; and 4 more. Not in force
        """)
    void of_many_faults_five_are_told_and_the_others_counted(int faults, String message) throws Exception {
        PolicyObject valid = object(PolicyKind.TRAFFIC_POLICY, 1);
        PolicyObject faulty = new PolicyObject(
                valid.id(),
                1,
                valid.references(),
                PolicyManifests.NONE,
                IntStream.rangeClosed(1, faults)
                        .mapToObj(i -> new InputFault("policy", "p" + i, "bad"))
                        .toList(),
                List.of());

        assertThat(new PolicySnapshot(true, List.of(faulty)).standings(ArmPolicies.NONE))
                .singleElement()
                .satisfies(standing -> {
                    assertThat(standing.isAccepted()).isFalse();
                    assertThat(standing.conditions())
                            .containsExactly(new Standing.Condition("Accepted", false, "Invalid", message));
                });
    }
}
