package dev.poolkeeper.lab.retries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.input.BadInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioReaderTest {

    private static final String LEAST = """
        duration: 10s
        workload: {rps: 100}
        backend: {latency: {p50: 20ms, p99: 40ms}}
        policies: [{name: a}]
        """;

    private static Scenario read(String yaml) throws BadInputException {
        return Scenarios.parse(yaml.getBytes(StandardCharsets.UTF_8), "f", "f");
    }

    /** Also with each line that the page leaves to the reader, unless it is an alternative to another one. */
    @Test
    void the_scenario_of_the_page_is_valid() throws Exception {
        String page = Files.readString(Path.of("retries.md"));
        String yaml =
                page.substring(page.indexOf("```yaml\n") + 8, page.indexOf("```\n", page.indexOf("```yaml\n") + 8));
        String whole = yaml.replaceAll("(?m)^( *)# (or .*)$", "").replaceAll("(?m)^( *)# ", "$1");

        assertThat(read(yaml).policies()).hasSize(1);
        assertThat(read(whole).workload().routes()).hasSize(2);
    }

    @Test
    void what_is_absent_or_null_has_its_default() throws Exception {
        Scenario absent = read(LEAST);
        assertThat(absent.description()).isEmpty();
        assertThat(absent.seed()).isEqualTo(1);
        assertThat(absent.seeds()).isZero();
        assertThat(absent.services()).isEqualTo(1);
        assertThat(absent.workload()).isEqualTo(new Scenario.Workload(100, Duration.ZERO, 3, List.of()));
        assertThat(absent.backend())
                .isEqualTo(new Scenario.Backend(
                        1,
                        503,
                        Duration.ofMillis(20),
                        Duration.ofMillis(40),
                        OptionalInt.empty(),
                        1_000_000,
                        OptionalInt.empty(),
                        0));
        assertThat(absent.phases()).isEmpty();
        assertThat(read("""
            description: null
            seed: null
            seeds: null
            services: null
            duration: 10s
            workload: {rps: 100, tick: null, maxRetries: null, routes: null}
            backend:
              {latency: {p50: 20ms, p99: 40ms}, success: null, status: null, workers: null, queue: null, burst: null,
               refill: null}
            phases: null
            policies: [{name: a, routes: null, retryConstraint: null, retryBudget: null, envoy: null, budget: null}]
            """)).isEqualTo(absent);
        assertThat(read(LEAST + "phases: [{}, {from: null, until: null, success: null, latencyFactor: null}]\n")
                        .phases())
                .containsOnly(new Scenario.Phase(Duration.ZERO, Duration.ofSeconds(10), -1, 1, 1))
                .hasSize(2);
    }

    @Test
    void each_field_has_its_value() throws Exception {
        Scenario scenario = read("""
            description: what it shows
            seed: -7
            seeds: 1000
            services: 6
            duration: 24h
            workload:
              {rps: 0.000001, tick: 1s, maxRetries: 0, routes: [{name: a, share: 0.25, success: 0}, {name: b, share: 0.75}]}
            backend: {success: 0, status: 599, latency: {p50: 1ms, p99: 1ms}, workers: 1, queue: 0, burst: 2, refill: 0.5}
            phases:
            - {from: 1s, until: 2s, success: 0, latencyFactor: 0.001, rpsFactor: 0}
            - {from: 3s, success: 1, latencyFactor: 1000, rpsFactor: 1000}
            policies: [{name: a}, {name: b}]
            """);
        assertThat(scenario.description()).isEqualTo("what it shows");
        assertThat(scenario.seed()).isEqualTo(-7);
        assertThat(scenario.seeds()).isEqualTo(1_000);
        assertThat(scenario.services()).isEqualTo(6);
        assertThat(scenario.duration()).isEqualTo(Duration.ofHours(24));
        assertThat(scenario.workload())
                .isEqualTo(new Scenario.Workload(
                        1e-6,
                        Duration.ofSeconds(1),
                        0,
                        List.of(new Scenario.Route("a", .25, 0), new Scenario.Route("b", .75, -1))));
        assertThat(scenario.backend())
                .isEqualTo(new Scenario.Backend(
                        0,
                        599,
                        Duration.ofMillis(1),
                        Duration.ofMillis(1),
                        OptionalInt.of(1),
                        0,
                        OptionalInt.of(2),
                        .5));
        assertThat(scenario.phases())
                .containsExactly(
                        new Scenario.Phase(Duration.ofSeconds(1), Duration.ofSeconds(2), 0, .001, 0),
                        new Scenario.Phase(Duration.ofSeconds(3), Duration.ofHours(24), 1, 1_000, 1_000));
        assertThat(scenario.policies()).extracting(Scenario.NamedPolicy::name).containsExactly("a", "b");
        assertThat(scenario.routeNames()).containsExactly("a", "b", "[DEFAULT]");
    }

    /** The first text is replaced by the second. */
    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        duration: 10s    ~ duration: 25h              ~ duration: found 25h, must be from 1ms to 24h
        duration: 10s    ~ {}                         ~ duration: is missing, must be a duration such as 10s
        duration: 10s    ~ duration: null             ~ duration: is missing, must be a duration such as 10s
        duration: 10s    ~ {duration: 10s, services: 0} ~ services: found 0, must be a whole number from 1 to 6
        duration: 10s    ~ {duration: 10s, services: 7} ~ services: found 7, must be a whole number from 1 to 6
        duration: 10s    ~ {duration: 10s, seeds: -1} ~ seeds: found -1, must be a whole number from 0 to 1000
        duration: 10s    ~ {duration: 10s, seeds: 1001} ~ seeds: found 1001, must be a whole number from 0 to 1000
        rps: 100         ~ rps: 0                     ~ workload.rps: found 0, must be a number from 1.0E-6 to 1000000
        rps: 100         ~ rps: 1000001               ~ workload.rps: found 1000001, must be a number from 1.0E-6 to 1000000
        rps: 100         ~ rps: null                  ~ workload.rps: is missing, must be a number from 1.0E-6 to 1000000
        rps: 100         ~ 'rps: 100, tick: 25h'      ~ workload.tick: found 25h, must be from 0s to 24h
        rps: 100         ~ 'rps: 100, maxRetries: -1' ~ workload.maxRetries: found -1, must be a whole number from 0 to 1000000
        rps: 100         ~ 'rps: 100, routes: [{name: a, share: 1.1}]' ~ workload.routes[0].share: found 1.1, must be a number from 0 to 1
        rps: 100         ~ 'rps: 100, routes: [{name: a, share: 1, success: 2}]' ~ workload.routes[0].success: found 2, must be a number from 0 to 1
        rps: 100         ~ 'rps: 100, routes: [{name: a}]' ~ workload.routes[0].share: is missing, must be a number from 0 to 1
        rps: 100         ~ 'rps: 100, routes: [{name: a, share: 0}, {name: a, share: 0}]' ~ workload.routes[1].name: found "a", must be different for each route, and not [DEFAULT]
        rps: 100         ~ 'rps: 100, routes: [{name: "[DEFAULT]", share: 0}]' ~ workload.routes[0].name: found "[DEFAULT]", must be different for each route, and not [DEFAULT]
        rps: 100         ~ 'rps: 100, routes: [{name: a, share: 0.5}, {name: b, share: 0.51}]' ~ workload.routes: found shares of 1.01 together, must be at most 1
        p50: 20ms        ~ p50: 0s                    ~ backend.latency.p50: found 0s, must be from 1ms to 24h
        p99: 40ms        ~ p99: 25h                   ~ backend.latency.p99: found 25h, must be from 1ms to 24h
        p99: 40ms        ~ p99: 19ms                  ~ backend.latency.p99: found 19ms, must be p50 or longer
        'backend: {'     ~ 'backend: {status: 399, '  ~ backend.status: found 399, must be a whole number from 400 to 599
        'backend: {'     ~ 'backend: {status: 600, '  ~ backend.status: found 600, must be a whole number from 400 to 599
        'backend: {'     ~ 'backend: {queue: -1, '    ~ backend.queue: found -1, must be a whole number from 0 to 1000000
        'backend: {'     ~ 'backend: {success: -0.1, ' ~ backend.success: found -0.1, must be a number from 0 to 1
        'backend: {'     ~ 'backend: {burst: 0, refill: 1, ' ~ backend.burst: found 0, must be a whole number from 1 to 1000000
        'backend: {'     ~ 'backend: {burst: 1, '     ~ backend.refill: is missing, must be a number from 0 to 1000000
        'backend: {'     ~ 'backend: {burst: 1, refill: -1, ' ~ backend.refill: found -1, must be a number from 0 to 1000000
        'policies: '     ~ 'phases: [{success: 1.5}], policies: ' ~ phases[0].success: found 1.5, must be a number from 0 to 1
        'policies: '     ~ 'phases: [{}, {rpsFactor: 1001}], policies: ' ~ phases[1].rpsFactor: found 1001, must be a number from 0 to 1000
        'policies: '     ~ 'phases: [{latencyFactor: 0}], policies: ' ~ phases[0].latencyFactor: found 0, must be a number from 0.001 to 1000
        'policies: '     ~ 'phases: [{from: 10s}], policies: ' ~ phases[0].until: found 10s, must be after from
        '[{name: a}]'    ~ '[]'                       ~ policies: found 0, must be 1 to 12
        '[{name: a}]'    ~ '[{name: a}, {name: a}]'   ~ policies[1].name: found "a" twice, must be unique
        '[{name: a}]'    ~ '[{name: a, routes: [{name: b}]}]' ~ policies[0].routes[0].name: found "b", must be the name of a route of the workload
        """)
    void each_bound_is_kept(String text, String instead, String fault) {
        String flow = "{" + String.join(", ", LEAST.strip().split("\n")) + "}";
        String added = instead.startsWith("{d") ? instead.substring(1, instead.length() - 1) : instead;
        String yaml = flow.replace(text, added).replace("{{}, ", "{");
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("f: " + fault);
    }
}
