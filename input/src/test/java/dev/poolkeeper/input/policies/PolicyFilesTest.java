package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import dev.poolkeeper.ports.retry.RequestHead;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetryRoute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    private static final String OLDEST_PROFILE = """
        apiVersion: linkerd.io/v1alpha2
        kind: ServiceProfile
        metadata: {name: azure-resource-manager, namespace: infra, creationTimestamp: "2026-01-01T00:00:00Z"}
        spec: {retryBudget: {retryRatio: 0.3}}
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

    private ArmPolicies read(String... documents) throws IOException, BadInputException {
        Path file = folder.resolve("policies.yaml");
        Files.writeString(file, String.join("---\n", documents));
        return ArmPolicies.of(PolicyManifests.readForArm(List.of(file), "default"));
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
        ArmPolicies files = read(ROUTE);
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
            says = "Omitted fields of a stanza have the Gateway API's defaults; if only one field of a"
                    + " minRetryRate is set, the other one is that of 10 per second.",
            source = "XBackendTrafficPolicy's defaults, which leave the halves open")
    void a_traffic_policy_sets_the_budget() throws Exception {
        ArmPolicies files = read("kind: Gateway\nmetadata: {name: g}\n", TRAFFIC, ROUTE);
        assertThat(files.budget())
                .isEqualTo(new GatewayApi(10, Duration.ofSeconds(10), new MinRetryRate(3, Duration.ofSeconds(1))));
        assertThat(files.policy()).isNotNull();
        assertThat(files.budgetFrom()).endsWith("policies.yaml: XBackendTrafficPolicy infra/budget");
        assertThat(files.policyFrom()).endsWith("policies.yaml: HTTPRoute infra/retry-example");
        assertThat(files.notes()).singleElement().asString().contains("Gateway is skipped");
    }

    @Test
    @Rule(
            id = "P72",
            says = "BackendTrafficPolicy is read like XBackendTrafficPolicy, also in the spelling of GEP-3388.",
            source = "GEP-3388, YAML")
    void the_older_kind_and_field_names_are_also_read() throws Exception {
        ArmPolicies files = read("""
            apiVersion: gateway.networking.x-k8s.io/v1alpha1
            kind: BackendTrafficPolicy
            metadata: {name: traffic-policy-example, creationTimestamp: null}
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
        ArmPolicies files = read("""
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: azure-resource-manager.infra.svc.cluster.local}
            spec:
              retryBudget: {retryRatio: 0.3, minRetriesPerSecond: 1, ttl: 20s}
              routes:
              - {name: PUT pools, condition: {method: PUT}, isRetryable: true, timeout: 25s}
            """);
        assertThat(files.budget()).isEqualTo(new Linkerd(0.3, 1, Duration.ofSeconds(20)));
        RetryPolicy policy = files.routes().get(0).policy();
        assertThat(policy.retries(503)).isTrue();
        assertThat(policy.attempts()).isEqualTo(RetryPolicy.UNLIMITED);
        assertThat(policy.request()).isEqualTo(Duration.ofSeconds(25));
    }

    @Test
    @Rule(
            id = "P74",
            says = "Of several manifests that set the same field, the oldest one applies, then the first by"
                    + " namespace and name; the others are reported as conflicting.",
            source = "GEP-713")
    void the_oldest_manifest_applies_and_the_others_are_reported() throws Exception {
        String older = ROUTE.replace("2026-01-02", "2026-01-01")
                .replace("retry-example", "z")
                .replace("30s", "40s");
        String twin = ROUTE.replace("retry-example", "b").replace("30s", "50s");
        String ageless = ROUTE.replace(", creationTimestamp: \"2026-01-02T00:00:00Z\"", "")
                .replace("retry-example", "a");
        ArmPolicies files = read(ageless, ROUTE, twin, older);
        assertThat(files.policyFrom()).endsWith("HTTPRoute infra/z");
        assertThat(files.notes())
                .extracting(note -> note.replaceAll(".*HTTPRoute infra/(.*): conflicts.*", "$1"))
                .containsExactly("b", "retry-example", "a");
    }

    @Test
    @Rule(
            id = "P75",
            says = "A route without a retry stanza is not retried; one without codes retries only connection errors.",
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
    void every_fault_is_reported_with_its_position() {
        assertFaults(
                ROUTE.replace("attempts: 2", "attempts: -1")
                        .replace("500, 502", "99, 600")
                        .replace("100ms", "1.5s")
                        .replace("10s", "40s"),
                "spec.rules[1].retry.attempts: found -1, must be a whole number from 0 to 2147483647",
                "spec.rules[1].retry.backoff: found \"1.5s\", must be a duration such as 1h30m, 10s or 800ms: one to"
                        + " four parts, each one to five digits and one of h, m, s, ms",
                "spec.rules[1].retry.codes: found 99, must be a status from 400 to 599",
                "spec.rules[1].retry.codes: found 600, must be a status from 400 to 599",
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
                "spec.sessionPersistence: is not supported, must be left out");
        assertFaults(
                TRAFFIC.replaceAll("targetRefs: .*", "targetRefs: []"),
                "spec.targetRefs: found 0 elements, must have 1 to 16");
        assertFaults(
                TRAFFIC.replace("manager}]", "manager}, {group: \"\", kind: Service, name: azure-resource-manager}]"),
                "spec.targetRefs[1]: found Service azure-resource-manager twice, must be a set");
        assertFaults(
                TRAFFIC.replace("percent: 10", "percent: 101, interval: 2h")
                        .replace("count: 3", "count: 0, intervall: 1s"),
                "spec.retryConstraint.minRetryRate.intervall: unknown key, must be one of count, interval",
                "spec.retryConstraint.minRetryRate.count: found 0, must be from 1 to 1000000",
                "spec.retryConstraint.budget.percent: found 101, must be from 0 to 100",
                "spec.retryConstraint.budget.interval: found 2h, must be from 1s to 1h");
    }

    @Test
    @Rule(
            id = "P77",
            says = "A manifest's apiVersion, name, namespace and creationTimestamp are checked, and a field that its"
                    + " kind does not have is a fault, wherever it stands.",
            source = "the CRDs")
    void the_fields_of_a_manifest_are_checked() {
        assertFaults(
                TRAFFIC.replace("gateway.networking.x-k8s.io/v1alpha1", "gateway.networking.x-k8s.io/v1")
                        .replace("name: budget, namespace: infra", "namespace: Infra, creationTimestamp: yesterday")
                        .replace("retryConstraint:", "retryConstraints:"),
                "apiVersion: found \"gateway.networking.x-k8s.io/v1\", must be gateway.networking.x-k8s.io/v1alpha1",
                "metadata.name: is missing, must be a string",
                "metadata.namespace: found \"Infra\", must be lower-case letters, digits, - of 63 characters at most",
                "metadata.creationTimestamp: found \"yesterday\", must be a time such as 2026-01-02T15:04:05Z"
                        + " (RFC 3339)",
                "spec.retryConstraints: unknown key, must be one of targetRefs, retryConstraint, sessionPersistence");
        assertFaults(
                ROUTE.replace("timeouts: {request", "timeout: {request").replace("port: 443", "ports: 443"),
                "spec.rules[1].timeout: unknown key, must be one of name, matches, filters, backendRefs, timeouts,"
                        + " retry, sessionPersistence",
                "spec.rules[1].backendRefs[0].ports: unknown key, must be one of group, kind, name, namespace, port,"
                        + " weight, filters");
        assertFaults(
                TRAFFIC.replace("metadata: {name: budget, namespace: infra}\n", ""),
                "metadata.name: is missing, must be a string");
    }

    @Test
    @Rule(
            id = "P78",
            says = "A target consists of group, kind and name. A Gateway, a Pod or another object that is not a"
                    + " backend is rejected; a Service of a foreign group is another backend.",
            source = "XBackendTrafficPolicy, spec.targetRefs")
    void every_field_of_a_target_is_checked() throws Exception {
        assertFaults(
                TRAFFIC.replace("group: \"\", kind: Service,", "kind: Service, sectionName: http, port: 443,"),
                "spec.targetRefs[0].sectionName: unknown key, must be one of group, kind, name",
                "spec.targetRefs[0].port: unknown key, must be one of group, kind, name",
                "spec.targetRefs[0].group: is missing, must be a string; \"\" for a Service");
        assertFaults(
                TRAFFIC.replace("group: \"\", kind: Service", "group: gateway.networking.k8s.io, kind: Gateway"),
                "spec.targetRefs[0].kind: found \"Gateway\" of the group \"gateway.networking.k8s.io\", must be a"
                        + " backend: a Service, a ServiceImport of multicluster.x-k8s.io, or one of an"
                        + " implementation's own group");
        ArmPolicies foreign = read(TRAFFIC.replace("group: \"\"", "group: evil.example"));
        assertThat(foreign.budget()).isNull();
        assertThat(foreign.notes())
                .singleElement()
                .asString()
                .endsWith("is skipped, no targetRef is the Service azure-resource-manager");
    }

    @Test
    @Rule(id = "P79", says = "A policy for other targets is skipped, whatever else it contains.", source = "ours")
    void a_policy_for_another_backend_is_ignored_whatever_it_contains() throws Exception {
        ArmPolicies files = read(
                TRAFFIC.replace("azure-resource-manager", "web")
                        .replace("retryConstraint:", "sessionPersistence: {type: Cookie}\n  retryConstraints:"),
                ROUTE.replace("azure-resource-manager", "web").replace("timeouts:", "timeout:"),
                "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: web.a.svc}\nspec: {x: 1}\n");
        assertThat(files.budget()).isNull();
        assertThat(files.policy()).isNull();
        assertThat(files.notes()).hasSize(3).allMatch(note -> note.contains("is skipped"));
    }

    @Test
    @Rule(
            id = "P86",
            says = "409, 412 and 429 in an HTTPRoute's codes are accepted but ignored with a note; attempts: 0"
                    + " means no retries.",
            source = "GEP-1731; ours")
    void codes_of_other_layers_are_accepted_and_ignored() throws Exception {
        ArmPolicies files = read(ROUTE.replace("500, 502", "409, 429"));
        RetryPolicy policy = files.policy();
        assertThat(policy).isNotNull();
        assertThat(policy.codes()).containsExactly(503, 504);
        assertThat(files.notes()).singleElement().asString().contains("retry.codes 409, 429 ignored");
        RetryPolicy off = read(ROUTE.replace("attempts: 2", "attempts: 0")).policy();
        assertThat(off).isNotNull();
        assertThat(off.isOn()).isFalse();
    }

    @Test
    @Rule(
            id = "P83",
            says = "Omitted fields of a Linkerd retryBudget have Linkerd's defaults; its durations and a"
                    + " route's timeout are in Go's format, such as 1.5s.",
            source = "GEP-3388: the following optional parameters; Linkerd's ServiceProfile")
    void a_partial_retry_budget_takes_its_defaults() throws Exception {
        String profile = """
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: azure-resource-manager}
            spec:
              retryBudget: {retryRatio: 0.3}
              routes:
              - {name: all, condition: {pathRegex: .*}, isRetryable: true, timeout: 1.5s}
            """;
        ArmPolicies files = read(profile);
        assertThat(files.budget()).isEqualTo(new Linkerd(0.3, 10, Duration.ofSeconds(10)));
        assertThat(files.routes())
                .singleElement()
                .satisfies(route -> assertThat(route.policy().request()).isEqualTo(Duration.ofMillis(1_500)));
        assertThat(read(profile.replace("retryRatio: 0.3", "ttl: 1m0.5s").replace("1m0.5s", "0.5m"))
                        .budget())
                .isEqualTo(new Linkerd(0.2, 10, Duration.ofSeconds(30)));
        assertFaults(
                profile.replace("1.5s", "1.5 s").replace("isRetryable: true", "isRetryable: maybe"),
                "spec.routes[0].isRetryable: found \"maybe\", must be true or false",
                "spec.routes[0].timeout: found \"1.5 s\", must be a duration such as 1h30m, 1.5s or 25ms: parts of a"
                        + " number, with or without a fraction, and one of h, m, s, ms, us, ns");
    }

    @Test
    @Rule(
            id = "P84",
            says = "Each rule of an HTTPRoute applies to the calls that it matches by path, method, headers and query;"
                    + " the most specific match takes precedence. Calls that no rule matches are not retried.",
            source = "HTTPRoute, rules.matches")
    void each_rule_applies_to_the_requests_it_matches() throws Exception {
        ArmPolicies files = read("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: r}
            spec:
              parentRefs: [{group: "", kind: Service, name: azure-resource-manager}]
              rules:
              - matches: [{path: {value: /subscriptions}}]
                retry: {codes: [500], attempts: 1}
              - matches: [{path: {value: /subscriptions}, method: PUT}]
                retry: {codes: [500], attempts: 2}
              - matches: [{path: {value: /subscriptions/s/locks}, headers: [{name: X-A, value: b}]}]
                retry: {codes: [500], attempts: 3}
            """);
        assertThat(files.routes())
                .extracting(route -> route.policy().attempts())
                .containsExactly(3, 2, 1);
        assertThat(attempts(files, RequestHead.of("GET", "/subscriptions/s", "")))
                .isEqualTo(1);
        assertThat(attempts(files, RequestHead.of("PUT", "/subscriptions/s", "")))
                .isEqualTo(2);
        assertThat(attempts(files, RequestHead.of("GET", "/subscriptionsX", "")))
                .isZero();
        RequestHead withHeader = new RequestHead("PUT", "/subscriptions/s/locks/l", "", Map.of("x-a", "b"));
        assertThat(attempts(files, withHeader)).isEqualTo(3);
    }

    @Test
    @Rule(
            id = "P85",
            says = "The first matching route of a ServiceProfile applies, and only routes marked retryable are"
                    + " retried; requests that match no route are not.",
            source = "Linkerd 2.2 retries, Marking a route as retryable")
    void only_marked_routes_of_a_profile_are_retried() throws Exception {
        ArmPolicies files = read("""
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: azure-resource-manager.infra.svc.cluster.local}
            spec:
              routes:
              - {name: gets, condition: {all: [{method: GET}, {not: {pathRegex: /secrets/.*}}]}, isRetryable: true}
              - {name: puts, condition: {method: PUT}, isRetryable: false}
            """);
        assertThat(attempts(files, RequestHead.of("GET", "/pools", ""))).isEqualTo(RetryPolicy.UNLIMITED);
        assertThat(attempts(files, RequestHead.of("GET", "/secrets/1", ""))).isZero();
        assertThat(attempts(files, RequestHead.of("PUT", "/pools", ""))).isZero();
        assertThat(attempts(files, RequestHead.of("DELETE", "/pools", ""))).isZero();
    }

    private static int attempts(ArmPolicies files, RequestHead request) {
        return files.routes().stream()
                .filter(route -> route.condition().test(request))
                .findFirst()
                .map(RetryRoute::policy)
                .or(() -> Optional.ofNullable(files.policy()))
                .orElseThrow()
                .attempts();
    }

    @Test
    void faults_in_matches_are_reported_with_their_positions() {
        assertFaults(
                ROUTE.replace(
                        "retry: {codes",
                        "matches: [{method: get, path: {type: Glob, value: a//b}}]\n" + "    retry: {codes"),
                "spec.rules[1].matches[0].path.type: found \"Glob\", must be one of Exact, PathPrefix,"
                        + " RegularExpression",
                "spec.rules[1].matches[0].path.value: found \"a//b\", must begin with / and not contain //, /./, /../,"
                        + " %2f or #",
                "spec.rules[1].matches[0].method: found \"get\", must be one of GET, HEAD, POST, PUT, DELETE, CONNECT,"
                        + " OPTIONS, TRACE, PATCH");
    }

    @Test
    void the_reader_chooses_the_defaults_of_a_manifest() throws Exception {
        Path file = Files.writeString(folder.resolve("open.yaml"), """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: r}
            spec:
              rules:
              - {retry: {}}
              - {retry: {}, timeouts: {request: 5s}}
              - {retry: {}, timeouts: {request: 5m}}
            ---
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: web.default.svc.cluster.local}
            spec:
              routes: [{name: a, condition: {method: GET}, isRetryable: true}]
            """);
        PolicyManifests gateway = PolicyManifests.read(List.of(file), PolicyDefaults.GATEWAY);
        RetryPolicy rule = gateway.routes().get(0).rules().get(0).policy();
        RetryPolicy bounded = gateway.routes().get(0).rules().get(1).policy();
        RetryPolicy profile = gateway.profiles().get(0).routes().get(0).policy();
        RetryPolicy forArm = PolicyManifests.read(List.of(file), PolicyDefaults.ARM)
                .routes()
                .get(0)
                .rules()
                .get(0)
                .policy();

        assertThat(rule.attempts()).isEqualTo(3);
        assertThat(rule.backoff()).isEqualTo(Duration.ofMillis(25));
        assertThat(rule.backendRequest()).isEqualTo(Duration.ofSeconds(60));
        assertThat(bounded.backendRequest()).isEqualTo(Duration.ofSeconds(5));
        assertThat(gateway.routes().get(0).rules().get(2).policy().backendRequest())
                .isEqualTo(Duration.ofSeconds(60));
        assertThat(profile.request()).isEqualTo(Duration.ofSeconds(10));
        assertThat(profile.backendRequest()).isEqualTo(Duration.ofSeconds(10));
        assertThat(forArm.backoff()).isEqualTo(Duration.ofMillis(800));
    }

    @Test
    void a_file_without_manifests_is_a_fault() {
        assertFaults("", ": contains no manifest, must contain one of " + PolicyManifests.KINDS);
        assertFaults("[1]", ": is not a manifest, must be an object with a kind");
        assertFaults("a: 1", "kind: is missing, must be a string");
    }

    /** Ours is one of three, at each place in turn. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void a_manifest_is_ours_if_any_of_its_references_is(int place) throws Exception {
        List<String> names = new ArrayList<>(List.of("one", "two"));
        names.add(place, "azure-resource-manager");
        String refs = names.stream()
                .map("{group: \"\", kind: Service, name: %s}"::formatted)
                .collect(Collectors.joining(", ", "[", "]"));
        String rules = names.stream()
                .map("  - backendRefs: [{name: %s}]\n    retry: {attempts: 2}\n"::formatted)
                .collect(Collectors.joining());
        String spec = ROUTE.substring(0, ROUTE.indexOf("spec:"));

        assertThat(read(TRAFFIC.replaceAll("targetRefs: .*", "targetRefs: " + refs))
                        .budget())
                .as("targetRefs")
                .isNotNull();
        assertThat(read(spec + "spec:\n  rules:\n  - backendRefs: " + refs + "\n    retry: {attempts: 2}\n")
                        .policyFrom())
                .as("backendRefs")
                .isNotEmpty();
        assertThat(read(spec + "spec:\n  rules:\n" + rules).policyFrom())
                .as("rules")
                .isNotEmpty();
        assertThat(read(spec + "spec:\n  parentRefs: " + refs + "\n  rules:\n  - retry: {attempts: 2}\n")
                        .policyFrom())
                .as("parentRefs")
                .isNotEmpty();
    }

    /** The names of headers are equivalent in any case, those of query parameters are not. */
    @ParameterizedTest
    @CsvSource({
        "headers, X-Team, X-Team, true",
        "headers, X-Team, x-team, true",
        "headers, x-team, X-TEAM, true",
        "headers, X-Team, X-Other, false",
        "queryParams, team, team, true",
        "queryParams, team, TEAM, false",
        "queryParams, team, other, false"
    })
    void of_equivalent_names_only_the_first_counts(String field, String first, String second, boolean isEquivalent)
            throws Exception {
        String match = "  - matches: [{%s: [{name: %s, value: blue}, {name: %s, value: green}]}]\n"
                .formatted(field, first, second);
        RetryRoute route = read(ROUTE.replaceAll("(?s)rules:\n.*", "rules:\n") + match
                        + "    backendRefs: [{name: azure-resource-manager}]\n    retry: {attempts: 2}\n")
                .routes()
                .get(0);
        RequestHead request =
                new RequestHead("PUT", "/", first + "=blue", Map.of(first.toLowerCase(Locale.ROOT), "blue"));

        assertThat(route.condition().test(request)).isEqualTo(isEquivalent);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"\" | Service | true",
                "\"\" | ServiceImport | false",
                "\"\" | Pod | false",
                "apps | Deployment | false",
                "gateway.networking.k8s.io | Gateway | false",
                "gateway.networking.k8s.io | HTTPRoute | false",
                "multicluster.x-k8s.io | ServiceImport | true",
                "multicluster.x-k8s.io | Service | true",
                "gateway.envoyproxy.io | Backend | true"
            })
    void each_kind_of_target_is_a_backend_or_a_fault(String group, String kind, boolean isAllowed) throws Exception {
        String text =
                TRAFFIC.replace("manager}]", "manager}, {group: %s, kind: %s, name: web}]".formatted(group, kind));
        if (isAllowed) {
            assertThat(read(text).budget()).isNotNull();
        } else {
            assertThatThrownBy(() -> read(text)).hasMessageContaining("spec.targetRefs[1].kind: found \"" + kind);
        }
    }

    @Test
    void a_policy_has_16_targets_at_most() throws Exception {
        String target = ", {group: \"\", kind: Service, name: other-%d}";
        String fifteen = IntStream.range(0, 15).mapToObj(target::formatted).collect(Collectors.joining());
        assertThat(read(TRAFFIC.replace("manager}]", "manager}" + fifteen + "]"))
                        .budget())
                .isNotNull();
        assertFaults(
                TRAFFIC.replace("manager}]", "manager}" + fifteen + target.formatted(15) + "]"),
                "spec.targetRefs: found 17 elements, must have 1 to 16");
    }

    /** Each stanza, and what it sets when it is null. */
    @Test
    void a_stanza_that_is_null_counts_as_absent() throws Exception {
        RetryPolicy none =
                read(ROUTE.replaceFirst("retry: \\{codes.*", "retry: null")).policy();
        assertThat(none).isNotNull();
        assertThat(none.isOn()).isFalse();
        assertThat(read(TRAFFIC.replaceFirst("(?s)retryConstraint:.*", "retryConstraint: null\n"))
                        .budget())
                .isNull();
        String draft = TRAFFIC.replace("XBackend", "Backend").replaceFirst("(?s)  retryConstraint:.*", "");
        assertThat(read(draft + "  retry: {budgetPercent: 25}\n  retryConstraint: null\n")
                        .budget())
                .isEqualTo(new GatewayApi(25, Duration.ofSeconds(10), MinRetryRate.STANZA_DEFAULT));
        assertThat(read(draft + "  retryConstraint: {budget: {percent: 26}}\n  retry: null\n")
                        .budget())
                .isEqualTo(new GatewayApi(26, Duration.ofSeconds(10), MinRetryRate.STANZA_DEFAULT));
        assertThat(read(TRAFFIC.replace("retryConstraint:", "sessionPersistence: null\n  retryConstraint:"))
                        .budget())
                .isNotNull();
        ArmPolicies profile = read("""
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: azure-resource-manager}
            spec:
              retryBudget: null
              routes: [{name: r, condition: {method: GET, pathRegex: null, all: null, any: null, not: null}}]
            """);
        assertThat(profile.budget()).isEqualTo(Linkerd.DEFAULT);
        assertThat(profile.routes().get(0).condition().test(RequestHead.of("GET", "/", "")))
                .isTrue();
    }

    @Test
    void both_spellings_of_a_budget_are_not_allowed_together() {
        assertFaults(
                TRAFFIC.replace("XBackend", "Backend") + "  retry: {budgetPercent: 25}\n",
                "spec.retry: is the older spelling of retryConstraint, must be left out next to it");
    }

    @Test
    void of_several_budgets_the_oldest_one_applies_and_the_others_are_reported() throws Exception {
        ArmPolicies policies = read(TRAFFIC, ROUTE, OLDEST_PROFILE);
        assertThat(policies.budget()).isEqualTo(new Linkerd(0.3, 10, Duration.ofSeconds(10)));
        assertThat(policies.budgetFrom()).endsWith(": ServiceProfile infra/azure-resource-manager");
        assertThat(policies.policyFrom()).endsWith(": ServiceProfile infra/azure-resource-manager");
        String oldest = policies.budgetFrom() + ", which is older or comes first by name";
        assertThat(policies.verdicts())
                .hasSize(3)
                .allSatisfy((head, verdict) -> assertThat(verdict.conflicts())
                        .isEqualTo(
                                switch (head.kind()) {
                                    case "HTTPRoute" -> List.of("retries are set by " + oldest);
                                    case "XBackendTrafficPolicy" -> List.of("the retry budget is set by " + oldest);
                                    default -> List.of();
                                }));
        assertThat(policies.notes())
                .extracting(note -> note.replaceFirst("^.*?policies.yaml: ", ""))
                .containsExactlyInAnyOrder(
                        "HTTPRoute infra/retry-example: conflicts, retries are set by " + oldest,
                        "XBackendTrafficPolicy infra/budget: conflicts, the retry budget is set by " + oldest);
    }

    @Test
    void a_manifest_that_conflicts_in_retries_and_budget_is_told_of_both() throws Exception {
        String younger = OLDEST_PROFILE
                .replace("2026-01-01", "2026-01-02")
                .replace("name: azure-resource-manager,", "name: azure-resource-manager.infra.svc.cluster.local,");
        ArmPolicies policies = read(younger, OLDEST_PROFILE);
        String oldest = policies.budgetFrom() + ", which is older or comes first by name";
        assertThat(policies.verdicts())
                .extractingFromEntries(entry -> entry.getValue().conflicts())
                .containsExactlyInAnyOrder(
                        List.of(), List.of("retries are set by " + oldest, "the retry budget is set by " + oldest));
        assertThat(policies.notes())
                .filteredOn(note -> note.contains(": conflicts, "))
                .hasSize(2)
                .allMatch(note -> note.contains(".svc.cluster.local: conflicts, "));
    }

    @Test
    void what_has_no_effect_on_calls_to_arm_is_reported_once_for_a_manifest() throws Exception {
        String rule = """
              - filters: [{type: RequestMirror}]
                backendRefs: [{name: azure-resource-manager, filters: [{type: URLRewrite}, {type: CORS}]}]
                retry: {codes: [409, 412, 429, 500]}
            """;
        String one = """
              - {filters: [{type: CORS}], backendRefs: [{name: azure-resource-manager}]}
            """;
        ArmPolicies policies = read(ROUTE.replaceFirst("(?s)rules:\n.*", "rules:\n")
                + rule
                + rule.replace("RequestMirror", "X")
                + rule
                + one);
        List<String> ignored = List.of(
                "retry.codes 409, 412, 429 ignored, the updater retries these after a fresh read or after Retry-After",
                "filters RequestMirror, URLRewrite, CORS ignored, calls to ARM are not filtered",
                "filters X, URLRewrite, CORS ignored, calls to ARM are not filtered",
                "filters CORS ignored, calls to ARM are not filtered");
        assertThat(policies.verdicts().values())
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.ignored()).isEqualTo(ignored));
        assertThat(policies.notes())
                .extracting(note -> note.replaceFirst("^.*?retry-example: ", ""))
                .isEqualTo(ignored);
        assertThat(policies.policy()).isNotNull();
        assertThat(policies.policy().codes()).containsExactly(500);
    }

    @Test
    void the_first_route_for_every_request_hides_those_behind_it() throws Exception {
        ArmPolicies policies = read("""
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: azure-resource-manager}
            spec:
              routes:
              - {name: first, condition: {method: GET}, timeout: 1s}
              - {name: second, condition: {method: PUT}, timeout: 2s}
              - {name: all, condition: {}, timeout: 3s, isRetryable: true, responseClasses: [{isFailure: true}]}
              - {name: hidden, condition: {}, timeout: 4s}
            """);
        assertThat(policies.routes())
                .extracting(route -> route.policy().request())
                .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(policies.policy()).isNotNull();
        assertThat(policies.policy().request()).isEqualTo(Duration.ofSeconds(3));
        assertThat(policies.policy().codes()).contains(400, 499, 500, 599).doesNotContain(409, 412, 429);
    }

    /** From the least specific to the most specific one, so that the order of the rules does not matter. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void the_most_specific_match_comes_first(boolean isReversed) throws Exception {
        List<String> matches = List.of(
                "{}",
                "{path: {value: /a}}",
                "{path: {value: /a}, queryParams: [{name: a, value: b}]}",
                "{path: {value: /a}, queryParams: [{name: a, value: b}, {name: c, value: d}]}",
                "{path: {value: /a}, headers: [{name: a, value: b}]}",
                "{path: {value: /a}, headers: [{name: a, value: b}, {name: c, value: d}]}",
                "{path: {value: /a}, method: PUT}",
                "{path: {value: /a}, method: PUT, queryParams: [{name: a, value: b}]}",
                "{path: {value: /a}, method: PUT, headers: [{name: a, value: b}]}",
                "{path: {value: /ab}}",
                "{path: {value: /a, type: RegularExpression}}",
                "{path: {value: /a.*, type: RegularExpression}}",
                "{path: {value: /a, type: Exact}}",
                "{path: {value: /ab, type: Exact}}");
        StringBuilder rules = new StringBuilder();
        for (int i = 0; i < matches.size(); i++) {
            String rule = "  - {matches: [%s], retry: {attempts: %d}, backendRefs: [{name: azure-resource-manager}]}\n"
                    .formatted(matches.get(i), i + 1);
            rules.insert(isReversed ? 0 : rules.length(), rule);
        }
        ArmPolicies policies = read(ROUTE.replaceFirst("(?s)rules:\n.*", "rules:\n") + rules);
        assertThat(policies.routes())
                .extracting(route -> route.policy().attempts())
                .containsExactly(14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2);
        assertThat(policies.policy()).isNotNull();
        assertThat(policies.policy().attempts()).as("that of every request").isEqualTo(1);
    }

    @Test
    void an_exact_path_is_no_prefix() throws Exception {
        String rules = """
              - {matches: [{path: {type: Exact, value: /a}}], backendRefs: [{name: azure-resource-manager}]}
            """;
        var exact = read(ROUTE.replaceFirst("(?s)rules:\n.*", "rules:\n") + rules)
                .routes()
                .get(0)
                .condition();
        assertThat(exact.test(RequestHead.of("GET", "/a", ""))).isTrue();
        assertThat(exact.test(RequestHead.of("GET", "/a/b", ""))).isFalse();
    }

    @Test
    void manifests_of_several_places_are_put_in_order() throws Exception {
        String profile = """
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: azure-resource-manager, namespace: infra, creationTimestamp: "2026-01-02T00:00:00Z"}
            spec: {}
            """;
        String dated =
                TRAFFIC.replace("namespace: infra", "namespace: infra, creationTimestamp: \"2026-01-02T00:00:00Z\"");
        String all = String.join("---\n", ROUTE, dated, profile, "kind: Gateway\n");
        Path here = Files.writeString(folder.resolve("here.yaml"), all);
        Path there = Files.writeString(folder.resolve("there.yaml"), all.replace("2026-01-02", "2026-01-01"));
        Path elsewhere = Files.writeString(folder.resolve("elsewhere.yaml"), all.replace("2026-01-02", "2026-01-03"));
        PolicyManifests together = PolicyManifests.readForArm(List.of(here), "default")
                .and(List.of(
                        PolicyManifests.readForArm(List.of(there), "default"),
                        PolicyManifests.readForArm(List.of(elsewhere), "default")));
        List<String> order = List.of(there.toString(), here.toString(), elsewhere.toString());
        assertThat(together.routes()).extracting(each -> each.head().file()).isEqualTo(order);
        assertThat(together.traffic()).extracting(each -> each.head().file()).isEqualTo(order);
        assertThat(together.profiles()).extracting(each -> each.head().file()).isEqualTo(order);
        assertThat(together.notes())
                .extracting(note -> note.replaceFirst(": Gateway .*", ""))
                .containsExactly(here.toString(), there.toString(), elsewhere.toString());
    }

    @Test
    void the_faults_of_every_file_are_reported() throws Exception {
        Path one =
                Files.writeString(folder.resolve("one.yaml"), ROUTE.replace("attempts: 2", "attempts: -1") + "---\n");
        Path two = Files.writeString(
                folder.resolve("two.yaml"), ROUTE + "---\n" + TRAFFIC.replace("count: 3", "count: 0"));
        Path three = folder.resolve("three.yaml");
        assertThatThrownBy(() -> ArmPolicies.of(PolicyManifests.readForArm(List.of(one, two, three), "default")))
                .isInstanceOfSatisfying(
                        BadInputException.class,
                        e -> assertThat(e.faults())
                                .extracting(fault -> fault.toString().replace(folder + "/", ""))
                                .containsExactly(
                                        "one.yaml: spec.rules[1].retry.attempts: found -1, must be a whole number from"
                                                + " 0 to 2147483647",
                                        "two.yaml: document 2: spec.retryConstraint.minRetryRate.count: found 0, must"
                                                + " be from 1 to 1000000",
                                        "three.yaml: there is no such file"));
    }
}
