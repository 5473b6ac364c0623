package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.app.config.RetrySources;
import dev.poolkeeper.app.logging.Logged;
import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.k8s.policies.PolicyKind;
import dev.poolkeeper.k8s.policies.PolicyObject;
import dev.poolkeeper.k8s.policies.PolicySnapshot;
import dev.poolkeeper.k8s.policies.Standing;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPoliciesTest {

    @RegisterExtension
    final Logged logged = new Logged(RetryPolicies.class, Level.INFO);

    @Test
    void only_a_judgement_that_changes_the_settings_is_logged() {
        RetrySources before = RetrySources.of(RetrySettings.DEFAULT);
        RetrySources after = RetrySources.of(
                new RetrySettings(List.of(), RetryPolicy.DEFAULT, Optional.of(GatewayApi.STANZA_DEFAULT)));
        List<List<Standing>> verdicts = new ArrayList<>();
        RetryPolicies policies =
                new RetryPolicies(new RetryModel(RetrySettings.DEFAULT, new FakeTime()), before, verdicts::add);

        policies.configured(before);
        policies.cluster(PolicySnapshot.NONE);
        assertThat(logged.list).isEmpty();
        policies.configured(after);
        policies.configured(after);
        policies.cluster(PolicySnapshot.NONE);

        assertThat(logged.list).extracting(ILoggingEvent::getMessage).containsExactly("Retry policies changed");
        assertThat(verdicts).as("reported after each judgement").hasSize(5);
    }

    private static PolicyObject object(String name, boolean isOurs, boolean isReadable) {
        return new PolicyObject(
                new PolicyObject.Id(PolicyKind.ROUTE, "v1", "kube-system", name, name),
                1,
                isOurs ? List.of(JsonNodeFactory.instance.objectNode()) : List.of(),
                PolicyManifests.NONE,
                isReadable ? List.of() : List.of(new InputFault("", "spec", "is wrong")),
                List.of());
    }

    /** Only so many are shown, so those that need attention go first. */
    @ParameterizedTest
    @CsvSource({"0, 3", "3, 0", "2, 2", "99, 1", "100, 1", "150, 7", "101, 101", "7, 150"})
    void refused_objects_are_shown_before_those_in_force_and_all_are_counted(int accepted, int refused) {
        // given
        List<PolicyObject> objects = new ArrayList<>(List.of(object("other", false, false)));
        IntStream.range(0, accepted).forEach(i -> objects.add(object("good-" + i, true, true)));
        IntStream.range(0, refused).forEach(i -> objects.add(object("bad-" + i, true, false)));
        RetryPolicies policies = new RetryPolicies(
                new RetryModel(RetrySettings.DEFAULT, new FakeTime()),
                RetrySources.of(RetrySettings.DEFAULT),
                standings -> {});
        // when
        policies.cluster(new PolicySnapshot(true, objects));
        // then
        DaemonStatus.Policies status = policies.status();
        assertThat(status.accepted()).isEqualTo(accepted);
        assertThat(status.refused()).isEqualTo(refused);
        assertThat(status.objects())
                .extracting(DaemonStatus.PolicyObject::object)
                .isEqualTo(Stream.concat(
                                IntStream.range(0, refused).mapToObj(i -> "HTTPRoute kube-system/bad-" + i),
                                IntStream.range(0, accepted).mapToObj(i -> "HTTPRoute kube-system/good-" + i))
                        .limit(100)
                        .toList());
    }

    private static PolicyManifests manifest(String json) throws Exception {
        return PolicyManifests.ofObject((ObjectNode) new ObjectMapper().readTree(json.replace('\'', '"')));
    }

    /** Manifests of either kind, of both and of none, and where retries and the budget come from. */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void the_origin_of_retries_and_of_the_budget_is_shown(boolean hasRoute, boolean hasBudget) throws Exception {
        // given
        PolicyManifests route = manifest("""
            {'apiVersion': 'gateway.networking.k8s.io/v1', 'kind': 'HTTPRoute',
             'metadata': {'name': 'calls', 'namespace': 'kube-system'},
             'spec': {'parentRefs': [{'group': '', 'kind': 'Service', 'name': 'azure-resource-manager'}],
                      'rules': [{'retry': {'attempts': 7}}]}}
            """);
        PolicyManifests budget = manifest("""
            {'apiVersion': 'gateway.networking.x-k8s.io/v1alpha1', 'kind': 'XBackendTrafficPolicy',
             'metadata': {'name': 'budget', 'namespace': 'kube-system'},
             'spec': {'targetRefs': [{'group': '', 'kind': 'Service', 'name': 'azure-resource-manager'}],
                      'retryConstraint': {'budget': {'percent': 7}}}}
            """);
        List<PolicyManifests> all = new ArrayList<>();
        all.addAll(hasRoute ? List.of(route) : List.of());
        all.addAll(hasBudget ? List.of(budget) : List.of());
        RetryModel model = new RetryModel(RetrySettings.DEFAULT, new FakeTime());
        RetryPolicies policies = new RetryPolicies(model, RetrySources.of(RetrySettings.DEFAULT), standings -> {});
        String from = hasRoute ? "HTTPRoute kube-system/calls" : "configuration";
        String budgetFrom = hasBudget ? "XBackendTrafficPolicy kube-system/budget" : "configuration";
        for (boolean isHere : List.of(true, false)) {
            // when
            policies.configured(new RetrySources(
                    RetryPolicy.DEFAULT,
                    Optional.empty(),
                    isHere ? PolicyManifests.NONE.and(all) : PolicyManifests.NONE));
            // then
            DaemonStatus.Policies status = policies.status();
            assertThat(List.of(status.retriesFrom(), status.budgetFrom()))
                    .containsExactly(isHere ? from : "configuration", isHere ? budgetFrom : "configuration");
            assertThat(model.status().rule().contains("percent=7,"))
                    .as("the budget in force")
                    .isEqualTo(hasBudget && isHere);
        }
        if (hasRoute || hasBudget) {
            assertThat(logged.list).hasSize(2);
            assertThat(logged.list.get(0).getKeyValuePairs())
                    .extracting(pair -> pair.key + ": " + pair.value)
                    .startsWith("retriesFrom: " + from, "budgetFrom: " + budgetFrom);
        } else {
            assertThat(logged.list).isEmpty();
        }
    }

    @Test
    void an_object_is_shown_with_its_reason_and_message() {
        RetryPolicies policies = new RetryPolicies(
                new RetryModel(RetrySettings.DEFAULT, new FakeTime()),
                RetrySources.of(RetrySettings.DEFAULT),
                standings -> {});
        policies.cluster(new PolicySnapshot(true, List.of(object("bad", true, false), object("good", true, true))));
        assertThat(policies.status().objects())
                .extracting(object -> "%s, %s, %s: %s"
                        .formatted(object.object(), object.accepted(), object.reason(), object.message()))
                .containsExactly(
                        "HTTPRoute kube-system/bad, false, Invalid: spec: is wrong. Not in force",
                        "HTTPRoute kube-system/good, true, Accepted: In force for calls to Azure Resource Manager");
    }
}
