package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyFilesTest {

    private static final String ROUTE = """
        apiVersion: gateway.networking.k8s.io/v1
        kind: HTTPRoute
        metadata: {name: retry-example, namespace: infra, creationTimestamp: "2026-01-02T00:00:00Z"}
        spec:
          rules:
          - backendRefs: [{name: other, port: 8080}]
            retry: {attempts: 9}
          - backendRefs: [{name: azure-resource-manager, port: 443}]
            retry: {codes: [500, 502, 503, 504], attempts: 2, backoff: 100ms}
            timeouts: {request: 30s, backendRequest: 10s}
        """;
    private static final String TRAFFIC = """
        apiVersion: gateway.networking.x-k8s.io/v1alpha1
        kind: XBackendTrafficPolicy
        metadata: {name: budget, namespace: infra}
        spec:
          targetRefs: [{group: "", kind: Service, name: azure-resource-manager}]
          retryConstraint:
            budget: {percent: 10}
            minRetryRate: {count: 3}
        """;

    @TempDir
    private Path folder;

    private PolicyFiles read(String... documents) throws IOException, BadInputException {
        Path file = folder.resolve("policies.yaml");
        Files.writeString(file, String.join("---\n", documents));
        return PolicyFiles.read(List.of(file));
    }

    private void assertFaults(String document, String... faults) {
        assertThatThrownBy(() -> read(document))
                .isInstanceOfSatisfying(
                        BadInputException.class,
                        e -> assertThat(e.faults().stream().map(fault -> fault.place() + ": " + fault.problem()))
                                .containsExactly(faults));
    }

    @Test
    @Rule(
            id = "P70",
            says = "The rule of an HTTPRoute with a backendRef to azure-resource-manager sets retries and timeouts.",
            source = "GEP-1731")
    void a_route_sets_the_policy() throws Exception {
        PolicyFiles files = read(ROUTE);
        assertThat(files.policy())
                .isEqualTo(new RetryPolicy(
                        Set.of(500, 502, 503, 504),
                        2,
                        Duration.ofMillis(100),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(10)));
        assertThat(files.policyFrom()).endsWith("policies.yaml: HTTPRoute infra/retry-example");
        assertThat(files.budget()).isNull();
    }

    @Test
    @Rule(
            id = "P71",
            says = "A stanza gets the Gateway API's defaults for what it leaves out; of a minRetryRate with one half"
                    + " only, the other half is that of 10 a second.",
            source = "XBackendTrafficPolicy's defaults, which leave the halves open")
    void a_traffic_policy_sets_the_budget() throws Exception {
        PolicyFiles files = read("kind: Gateway\nmetadata: {name: g}\n", TRAFFIC, ROUTE);
        assertThat(files.budget())
                .isEqualTo(new GatewayApi(10, Duration.ofSeconds(10), new MinRetryRate(3, Duration.ofSeconds(1))));
        assertThat(files.policy()).isNotNull();
        assertThat(files.notes()).singleElement().asString().contains("Gateway is passed over");
    }

    @Test
    @Rule(
            id = "P72",
            says = "BackendTrafficPolicy is read like XBackendTrafficPolicy, also in the spelling of GEP-3388.",
            source = "GEP-3388, YAML")
    void the_seeds_name_and_spelling_are_read_too() throws Exception {
        PolicyFiles files = read("""
            apiVersion: gateway.networking.x-k8s.io/v1alpha1
            kind: BackendTrafficPolicy
            metadata: {name: traffic-policy-example}
            spec:
              targetRefs: [{group: multicluster.x-k8s.io, kind: ServiceImport, name: azure-resource-manager}]
              retry: {budgetPercent: 25, budgetInterval: 20s, minRetryRate: {count: 3, interval: 1s}}
            """);
        assertThat(files.budget())
                .isEqualTo(new GatewayApi(25, Duration.ofSeconds(20), new MinRetryRate(3, Duration.ofSeconds(1))));
    }

    @Test
    @Rule(
            id = "P73",
            says = "A Linkerd ServiceProfile sets the budget by retryBudget and retries of server errors by"
                    + " isRetryable, within the route's timeout.",
            source = "Linkerd 2.2 retries")
    void a_service_profile_sets_both() throws Exception {
        PolicyFiles files = read("""
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: azure-resource-manager.infra.svc.cluster.local}
            spec:
              retryBudget: {retryRatio: 0.3, minRetriesPerSecond: 1, ttl: 20s}
              routes:
              - {name: PUT pools, condition: {method: PUT}, isRetryable: true, timeout: 25s}
            """);
        assertThat(files.budget()).isEqualTo(new Linkerd(0.3, 1, Duration.ofSeconds(20)));
        RetryPolicy policy = files.policy();
        assertThat(policy).isNotNull();
        assertThat(policy.retries(503)).isTrue();
        assertThat(policy.attempts()).isEqualTo(RetryPolicy.UNLIMITED);
        assertThat(policy.request()).isEqualTo(Duration.ofSeconds(25));
    }

    @Test
    @Rule(
            id = "P74",
            says = "Of several manifests that set the same the oldest holds, then the first by namespace and name;"
                    + " the others are reported as conflicting.",
            source = "GEP-713")
    void the_oldest_manifest_holds_and_the_others_are_reported() throws Exception {
        String older = ROUTE.replace("2026-01-02", "2026-01-01")
                .replace("retry-example", "z")
                .replace("30s", "40s");
        String twin = ROUTE.replace("retry-example", "b").replace("30s", "50s");
        String ageless = ROUTE.replace(", creationTimestamp: \"2026-01-02T00:00:00Z\"", "")
                .replace("retry-example", "a");
        PolicyFiles files = read(ageless, ROUTE, twin, older);
        assertThat(files.policyFrom()).endsWith("HTTPRoute infra/z");
        assertThat(files.notes())
                .extracting(note -> note.replaceAll(".*HTTPRoute infra/(.*): conflicts.*", "$1"))
                .containsExactly("b", "retry-example", "a");
    }

    @Test
    @Rule(
            id = "P75",
            says = "A route without a retry stanza is not retried; one without codes retries connection errors only.",
            source = "GEP-1731")
    void a_route_without_retry_is_not_retried() throws Exception {
        RetryPolicy none = read(ROUTE.replaceAll(".*codes.*\n", "")).policy();
        RetryPolicy noCodes = read(ROUTE.replaceAll("codes: [^\\]]*\\], ", "")).policy();
        assertThat(none).isNotNull();
        assertThat(noCodes).isNotNull();
        assertThat(none.isOn()).isFalse();
        assertThat(noCodes.isOn()).isTrue();
        assertThat(noCodes.codes()).isEmpty();
    }

    @Test
    void every_fault_is_told_with_its_place() {
        assertFaults(
                ROUTE.replace("attempts: 2", "attempts: 0")
                        .replace("500, 502", "99, 429")
                        .replace("100ms", "1.5s")
                        .replace("10s", "40s"),
                "spec.rules[1].retry.attempts: found 0, must be a whole number from 1 to 2147483647",
                "spec.rules[1].retry.backoff: found \"1.5s\", must be a duration such as 1h30m, 10s or 800ms: one to"
                        + " four parts, each one to five digits and one of h, m, s, ms",
                "spec.rules[1].retry.codes: found 99, must be a status from 400 to 599",
                "spec.rules[1].retry.codes: found 429, must not be listed: throttling is answered by the gate that"
                        + " waits for Retry-After",
                "spec.rules[1].timeouts.backendRequest: found 40s, must not be longer than timeouts.request, which is"
                        + " 30s");
    }

    @Test
    @Rule(
            id = "P76",
            says = "sessionPersistence is refused as unsupported; targetRefs has 1 to 16 distinct elements.",
            source = "BackendTrafficPolicy, Spec")
    void session_persistence_and_bad_targets_are_refused() {
        assertFaults(
                TRAFFIC.replace("retryConstraint", "sessionPersistence: {type: Cookie}\n  retryConstraint"),
                "spec.sessionPersistence: is not supported, there are no sessions with ARM; must be left out");
        assertFaults(
                TRAFFIC.replaceAll("targetRefs: .*", "targetRefs: []"),
                "spec.targetRefs: found 0 elements, must have 1 to 16");
        assertFaults(
                TRAFFIC.replace("name: azure-resource-manager}]", "name: a}, {kind: Service, name: a}]"),
                "spec.targetRefs[1]: found Service a twice, must be a set");
        assertFaults(
                TRAFFIC.replace("percent: 10", "percent: 101, interval: 2h")
                        .replace("count: 3", "count: 0, intervall: 1s"),
                "spec.retryConstraint.minRetryRate.intervall: unknown key, must be one of count, interval",
                "spec.retryConstraint.minRetryRate.count: found 0, must be from 1 to 1000000",
                "spec.retryConstraint.budget.percent: found 101, must be from 0 to 100",
                "spec.retryConstraint.budget.interval: found 2h, must be from 1s to 1h");
    }

    @Test
    void a_file_without_manifests_is_a_fault() {
        assertFaults("", ": holds no manifest, must hold one of " + ManifestReader.KINDS);
        assertFaults("[1]", ": is no manifest, must be an object with a kind");
        assertFaults("a: 1", "kind: is missing, must be a string");
    }
}
