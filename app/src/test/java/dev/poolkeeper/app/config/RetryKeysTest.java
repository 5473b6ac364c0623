package dev.poolkeeper.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryKeysTest {

    private static final String TRAFFIC = """
        apiVersion: gateway.networking.x-k8s.io/v1alpha1
        kind: XBackendTrafficPolicy
        metadata: {name: budget}
        spec:
          targetRefs: [{group: "", kind: Service, name: azure-resource-manager}]
          retryConstraint: {budget: {percent: 7}}
        """;

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("poolkeeper.yaml"), text);
    }

    @Test
    @Rule(
            id = "P81",
            says = "Retries inside calls and the budget are set by the keys of an HTTPRoute rule and a"
                    + " BackendTrafficPolicy.",
            source = "ours")
    void every_key_is_read() throws Exception {
        Configuration configuration = ConfigurationReader.read(file("""
            retry: {codes: [503, 408], attempts: 7, backoff: 250ms}
            timeouts: {request: 1m, backendRequest: 11s}
            retryConstraint: {budget: {percent: 33, interval: 2m}, minRetryRate: {count: 4, interval: 5s}}
            """), Map.of());
        assertThat(configuration.live().retries().policy())
                .isEqualTo(new RetryPolicy(
                        Set.of(408, 503), 7, Duration.ofMillis(250), Duration.ofMinutes(1), Duration.ofSeconds(11)));
        assertThat(configuration.live().retries().budget())
                .isEqualTo(new GatewayApi(33, Duration.ofMinutes(2), new MinRetryRate(4, Duration.ofSeconds(5))));
        assertThat(configuration.values())
                .filteredOn(value -> value.key().matches("(retry|timeouts|retryConstraint)\\..*"))
                .hasSize(9)
                .allSatisfy(value -> assertThat(value.origin()).endsWith("poolkeeper.yaml"));
    }

    @Test
    void without_keys_the_defaults_apply_and_a_stanza_gets_those_of_the_gateway_api() throws Exception {
        assertThat(ConfigurationReader.read(file("{}"), Map.of())
                        .live()
                        .retries()
                        .budget())
                .isEqualTo(BudgetSettings.DEFAULT);
        assertThat(ConfigurationReader.read(file("retryConstraint: {}"), Map.of())
                        .live()
                        .retries()
                        .budget())
                .isEqualTo(GatewayApi.STANZA_DEFAULT);
        assertThat(ConfigurationReader.read(file("retry: {attempts: 0}"), Map.of())
                        .live()
                        .retries()
                        .policy()
                        .isOn())
                .isFalse();
    }

    @Test
    @Rule(
            id = "P82",
            says = "A manifest takes precedence over the configuration's keys, which are reported as not used.",
            source = "ours")
    void a_manifest_takes_precedence_over_the_keys() throws Exception {
        Files.writeString(folder.resolve("budget.yaml"), TRAFFIC);
        Configuration configuration = ConfigurationReader.read(
                file("retryPolicyFiles: [budget.yaml]\n"
                        + "retry: {attempts: 2}\n"
                        + "retryConstraint: {budget: {percent: 50}}\n"),
                Map.of());
        assertThat(configuration.live().retries().budget())
                .isEqualTo(new GatewayApi(7, Duration.ofSeconds(10), MinRetryRate.STANZA_DEFAULT));
        assertThat(configuration.live().retries().policy().attempts()).isEqualTo(2);
        assertThat(configuration.warnings())
                .singleElement()
                .asString()
                .contains("retryConstraint: not used", "XBackendTrafficPolicy kube-system/budget");
        assertThat(configuration.live().files())
                .isEqualTo(List.of(folder.resolve("poolkeeper.yaml"), folder.resolve("budget.yaml")));
    }

    /** The page's keys, and its manifest in the file that its {@code retryPolicyFiles} names. */
    @Test
    void the_examples_of_the_page_are_valid() throws Exception {
        String page = Files.readString(Path.of("../docs/policies.md"));
        String keys = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(block -> block.group(1))
                .collect(Collectors.joining());
        Matcher manifest = Pattern.compile("<<'EOF'\\n(.*?)EOF", Pattern.DOTALL).matcher(page);
        assertThat(manifest.find()).isTrue();
        Files.writeString(folder.resolve("retries.yaml"), manifest.group(1));

        Configuration configuration = ConfigurationReader.read(file(keys), Map.of());

        assertThat(configuration.live().retries().policy()).isEqualTo(RetryPolicy.DEFAULT);
        assertThat(configuration.live().retries().budget())
                .isEqualTo(new GatewayApi(30, Duration.ofMinutes(1), new MinRetryRate(6, Duration.ofMinutes(1))));
    }

    /** Every choice of stanzas, under manifests of neither, one or both kinds. */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void each_stanza_that_a_manifest_overrules_is_reported(boolean hasRoute, boolean hasTraffic) throws Exception {
        Files.writeString(folder.resolve("route.yaml"), """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: route}
            spec:
              parentRefs: [{group: "", kind: Service, name: azure-resource-manager}]
              rules:
              - retry: {attempts: 5}
            """);
        Files.writeString(folder.resolve("budget.yaml"), TRAFFIC);
        String files = Stream.of(hasRoute ? "route.yaml" : "", hasTraffic ? "budget.yaml" : "")
                .filter(name -> !name.isEmpty())
                .collect(Collectors.joining(", "));
        for (int choice = 0; choice < 8; choice++) {
            boolean hasRetry = (choice & 1) > 0;
            boolean hasTimeouts = (choice & 2) > 0;
            boolean hasBudget = (choice & 4) > 0;
            String stanzas = (hasRetry ? "retry: {attempts: 2}\n" : "")
                    + (hasTimeouts ? "timeouts: {backendRequest: 11s}\n" : "")
                    + (hasBudget ? "retryConstraint: {budget: {percent: 50}}\n" : "");
            List<String> notes = new ArrayList<>();
            if (hasRoute && (hasRetry || hasTimeouts)) {
                notes.add("retry, timeouts: not used, " + folder.resolve("route.yaml")
                        + ": HTTPRoute kube-system/route takes precedence");
            }
            if (hasTraffic && hasBudget) {
                notes.add("retryConstraint: not used, " + folder.resolve("budget.yaml")
                        + ": XBackendTrafficPolicy kube-system/budget takes precedence");
            }

            Configuration configuration =
                    ConfigurationReader.read(file("retryPolicyFiles: [" + files + "]\n" + stanzas), Map.of());

            assertThat(configuration.warnings()).as(stanzas).isEqualTo(notes);
        }
    }

    @Test
    void every_key_shows_the_value_of_the_manifest_that_takes_precedence() throws Exception {
        Files.writeString(folder.resolve("route.yaml"), """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: route}
            spec:
              parentRefs: [{group: "", kind: Service, name: azure-resource-manager}]
              rules:
              - retry: {codes: [500, 502], attempts: 5, backoff: 100ms}
                timeouts: {request: 30s, backendRequest: 10s}
            """);
        Files.writeString(
                folder.resolve("budget.yaml"),
                TRAFFIC.replace(
                        "{budget: {percent: 7}}",
                        "{budget: {percent: 7, interval: 3m}, minRetryRate: {count: 8, interval: 9s}}"));

        Configuration configuration = ConfigurationReader.read(file("""
            retryPolicyFiles: [route.yaml, budget.yaml]
            retry: {codes: [503, 408], attempts: 7, backoff: 250ms}
            timeouts: {request: 1m, backendRequest: 11s}
            retryConstraint: {budget: {percent: 33, interval: 2m}, minRetryRate: {count: 4, interval: 5s}}
            """), Map.of());

        assertThat(configuration.values())
                .filteredOn(value -> value.key().matches("(retry|timeouts|retryConstraint)\\..*"))
                .extracting(value -> "%s: %s (%s)"
                        .formatted(value.key(), value.value(), value.origin().replace(folder + "/", "")))
                .containsExactlyInAnyOrder(
                        "retry.codes: [500, 502] (route.yaml: HTTPRoute kube-system/route)",
                        "retry.attempts: 5 (route.yaml: HTTPRoute kube-system/route)",
                        "retry.backoff: 100ms (route.yaml: HTTPRoute kube-system/route)",
                        "timeouts.request: 30s (route.yaml: HTTPRoute kube-system/route)",
                        "timeouts.backendRequest: 10s (route.yaml: HTTPRoute kube-system/route)",
                        "retryConstraint.budget.percent: 7 (budget.yaml: XBackendTrafficPolicy kube-system/budget)",
                        "retryConstraint.budget.interval: 3m (budget.yaml: XBackendTrafficPolicy kube-system/budget)",
                        "retryConstraint.minRetryRate.count: 8 (budget.yaml: XBackendTrafficPolicy kube-system/budget)",
                        "retryConstraint.minRetryRate.interval: 9s"
                                + " (budget.yaml: XBackendTrafficPolicy kube-system/budget)");
    }

    @Test
    void each_fault_is_reported_once_with_its_key() throws IOException {
        Path file = file("""
            subscriptionId: s-1
            resourceGroup: g-1
            retry: 5
            timeouts: {request: 1s, backendRequest: 2s}
            retryConstraint: {budget: {percent: 101, window: 1s}}
            retryPolicyFiles: [none.yaml]
            """);
        CommandLineRun run = CommandLineRun.of("check-config", file.toString());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .extracting(
                        line -> line.replace("poolkeeper: " + file + ": ", "").replace(folder + "/", ""))
                .containsExactlyInAnyOrder(
                        "retry: found 5, must be an object",
                        "timeouts.backendRequest: found 2s, must not be longer than timeouts.request, which is 1s",
                        "retryConstraint.budget.window: unknown key, must be one of percent, interval",
                        "retryConstraint.budget.percent: found 101, must be a whole number from 0 to 100",
                        "retryPolicyFiles: none.yaml: there is no such file");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        retry: {codes: [400, 599]}      | ``
        retry: {codes: []}              | ``
        retry: {codes: [409]}           | retry.codes: found 409, must not be listed: the updater retries it after a fresh read
        retry: {codes: [503, 412]}      | retry.codes: found 412, must not be listed: the updater retries it after a fresh read
        retry: {codes: [429]}           | retry.codes: found 429, must not be listed: the throttling gate handles it by waiting for Retry-After
        retry: {codes: [399]}           | retry.codes: found 399, must be a status from 400 to 599
        retry: {codes: [600]}           | retry.codes: found 600, must be a status from 400 to 599
        retry: {codes: 503}             | retry.codes: found 503, must be an array of distinct statuses from 400 to 599 without 409, 412, 429
        retry: {codes: {}}              | retry.codes: found {}, must be an array of distinct statuses from 400 to 599 without 409, 412, 429
        retry: {codes: [503, 503]}      | retry.codes: found [503,503], must be an array of distinct statuses from 400 to 599 without 409, 412, 429
        retry: {codes: [503.0]}         | retry.codes: found [503.0], must be an array of distinct statuses from 400 to 599 without 409, 412, 429
        retry: {codes: [null]}          | retry.codes: found [null], must be an array of distinct statuses from 400 to 599 without 409, 412, 429
        retry: {codes: ['503']}         | retry.codes: found ["503"], must be an array of distinct statuses from 400 to 599 without 409, 412, 429
        retryConstraint: {budget: {interval: 999ms}}    | retryConstraint.budget.interval: found "999ms", must be a duration from 1s to 1h
        retryConstraint: {budget: {interval: 1h1ms}}    | retryConstraint.budget.interval: found "1h1ms", must be a duration from 1s to 1h
        retryConstraint: {minRetryRate: {interval: 0s}} | retryConstraint.minRetryRate.interval: found "0s", must be a duration from 1ms to 1h
        """)
    void each_value_out_of_bounds_is_a_fault(String text, String fault) throws Exception {
        Path file = file(text);
        if (fault.isEmpty()) {
            assertThat(ConfigurationReader.read(file, Map.of()).warnings()).isEmpty();
        } else {
            assertThatThrownBy(() -> ConfigurationReader.read(file, Map.of())).hasMessage(file + ": " + fault);
        }
    }

    @ParameterizedTest
    @CsvSource({"0s, 1m", "1ms, 1ms", "59s, 59s", "1m, 1m", "2m, 1m"})
    void an_attempt_has_a_minute_or_the_time_of_its_call(String request, String attempt) throws Exception {
        Configuration configuration = ConfigurationReader.read(file("timeouts: {request: " + request + "}"), Map.of());
        assertThat(configuration.values())
                .filteredOn(value -> value.key().equals("timeouts.backendRequest"))
                .singleElement()
                .satisfies(value -> assertThat(value.value()).isEqualTo(attempt));
    }

    @Test
    void each_route_and_the_budget_of_a_profile_are_shown() throws Exception {
        Path profile = Files.writeString(folder.resolve("profile.yaml"), """
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: azure-resource-manager}
            spec:
              retryBudget: {retryRatio: 0.3, minRetriesPerSecond: 2, ttl: 20s}
              routes:
              - {name: reads, condition: {method: GET}, timeout: 5s}
              - {name: writes, condition: {method: PUT}, timeout: 25s}
            """);
        Files.writeString(folder.resolve("other.yaml"), "kind: Gateway\n");
        Configuration configuration =
                ConfigurationReader.read(file("retryPolicyFiles: [profile.yaml, other.yaml]"), Map.of());
        String origin = profile + ": ServiceProfile kube-system/azure-resource-manager";
        assertThat(configuration.values())
                .filteredOn(value -> value.origin().equals(origin))
                .extracting(value -> value.key() + ": " + value.value())
                .containsExactly(
                        "retry.codes: []",
                        "retry.attempts: 0",
                        "retry.backoff: 0s",
                        "timeouts.request: 0s",
                        "timeouts.backendRequest: 1m",
                        "retryConstraint.budget.percent: none",
                        "retryConstraint.budget.interval: none",
                        "retryConstraint.minRetryRate.count: none",
                        "retryConstraint.minRetryRate.interval: none",
                        "retry.routes[0]: GET: no retries, time for a request 5s, for an attempt 5s",
                        "retry.routes[1]: PUT: no retries, time for a request 25s, for an attempt 25s",
                        "retryBudget: 0.3 retries per first attempt of 20s, plus 2 per second");
        assertThat(configuration.warnings())
                .singleElement()
                .asString()
                .startsWith(folder.resolve("other.yaml") + ": Gateway is skipped, ");
    }
}
