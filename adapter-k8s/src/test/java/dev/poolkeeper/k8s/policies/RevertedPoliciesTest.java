package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.Term;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A policy that changes and then is again exactly what it was. */
class RevertedPoliciesTest {

    private static final String POLICY = PolicyWorld.pathOf("near");
    private static final String ROUTE = PolicyWorld.pathOfRoute("calls");
    private static final String TARGET = "azure-resource-manager";
    private static final String RULE = "{\"retry\":{\"codes\":[500],\"attempts\":2}}";

    private enum Change {
        POLICY_INVALID,
        POLICY_HAS_UNKNOWN_KEY,
        POLICY_FOR_ANOTHER_SERVICE,
        POLICY_DELETED,
        ROUTE_INVALID,
        ROUTE_HAS_UNKNOWN_BACKEND,
        ROUTE_DELETED,
        SERVICE_DELETED,
        OLDER_POLICY_CONFLICTS
    }

    private final PolicyWorld world = new PolicyWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private void valid() {
        world.withTarget().policy("near", 13);
        world.route("calls", RULE);
    }

    private void awaitInForce() {
        world.until("accepted", () -> is(POLICY, "Accepted", "True") && is(ROUTE, "Accepted", "True"));
        world.until("resolved", () -> is(ROUTE, "ResolvedRefs", "True"));
        world.until("in force", () -> world.percent() == 13 && attempts() == 2);
        assertThat(world.condition(POLICY, "Accepted").path("message").asText()).doesNotContain("previous");
        assertThat(world.condition(ROUTE, "Accepted").path("message").asText()).doesNotContain("previous");
        assertThat(world.snapshot.objects())
                .hasSize(2)
                .allSatisfy(object -> assertThat(object.faults()).isEmpty());
    }

    private boolean is(String path, String type, String status) {
        return world.condition(path, type).path("status").asText().equals(status)
                && world.condition(path, type).path("observedGeneration").asInt()
                        == world.object(path).at("/metadata/generation").asInt();
    }

    private int attempts() {
        return world.policies().policy() == null
                ? -1
                : world.policies().policy().attempts();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "P196",
            says = "A policy that is again exactly what it was is in force again, and its conditions say so.",
            source = "ours")
    void it_is_in_force_again(Change change) {
        valid();
        world.statuses.lead(Term.untilEnded());
        world.watcher.start();
        awaitInForce();
        for (int times = 0; times < 2; times++) {
            begin(change);
            valid();
            if (change == Change.OLDER_POLICY_CONFLICTS) {
                world.kube.delete(PolicyWorld.pathOf("a-first"));
            }
            awaitInForce();
        }
    }

    /** On a standby: no status is written, which would bring a further event. */
    @Test
    void after_a_fault_another_valid_content_is_in_force() {
        valid();
        world.watcher.start();
        world.until("in force", () -> world.percent() == 13 && attempts() == 2);
        world.policy(PolicyWorld.NAMESPACE, "near", TARGET, "{\"budget\":{\"percent\":300}}");
        world.route("calls", "{\"retry\":{\"codes\":[7]}}");
        world.until(
                "faults",
                () -> world.snapshot.objects().stream()
                        .noneMatch(object -> object.faults().isEmpty()));
        world.policy("near", 14);
        world.route("calls", "{\"retry\":{\"codes\":[500],\"attempts\":3}}");
        world.until("in force", () -> world.percent() == 14 && attempts() == 3);
    }

    private void begin(Change change) {
        switch (change) {
            case POLICY_INVALID -> {
                world.policy(PolicyWorld.NAMESPACE, "near", TARGET, "{\"budget\":{\"percent\":300}}");
                world.until("refused", () -> is(POLICY, "Accepted", "False"));
            }
            case POLICY_HAS_UNKNOWN_KEY -> {
                world.policy(PolicyWorld.NAMESPACE, "near", TARGET, "{\"budgets\":{}}");
                world.until("refused", () -> is(POLICY, "Accepted", "False"));
            }
            case POLICY_FOR_ANOTHER_SERVICE -> {
                world.policy(PolicyWorld.NAMESPACE, "near", "another", "{\"budget\":{\"percent\":13}}");
                world.until("gone", () -> world.percent() == -1);
            }
            case POLICY_DELETED -> {
                world.kube.delete(POLICY);
                world.until("gone", () -> world.percent() == -1);
            }
            case ROUTE_INVALID -> {
                world.route("calls", "{\"retry\":{\"codes\":[7]}}");
                world.until("refused", () -> is(ROUTE, "Accepted", "False"));
            }
            case ROUTE_HAS_UNKNOWN_BACKEND -> {
                world.route("calls", "{\"backendRefs\":[{\"name\":\"web\",\"port\":80}]}");
                world.until("unresolved", () -> is(ROUTE, "ResolvedRefs", "False"));
            }
            case ROUTE_DELETED -> {
                world.kube.delete(ROUTE);
                world.until("gone", () -> attempts() == -1);
            }
            case SERVICE_DELETED -> {
                world.kube.delete("/api/v1/namespaces/poolkeeper/services/azure-resource-manager");
                world.until("without target", () -> is(POLICY, "Accepted", "False"));
            }
            default -> {
                world.kube.apply("""
                    {"apiVersion":"gateway.networking.x-k8s.io/v1alpha1","kind":"XBackendTrafficPolicy",
                     "metadata":{"name":"a-first","namespace":"poolkeeper","creationTimestamp":"2000-01-01T00:00:00Z"},
                     "spec":{"targetRefs":[{"group":"","kind":"Service","name":"azure-resource-manager"}],
                     "retryConstraint":{"budget":{"percent":7}}}}\
                    """);
                world.until("another one applies", () -> world.percent() == 7 || world.percent() == 13);
            }
        }
    }
}
