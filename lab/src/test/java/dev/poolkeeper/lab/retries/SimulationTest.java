package dev.poolkeeper.lab.retries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulationTest {

    private static final int OUTAGE_FROM = 60 * Tally.STRETCHES / 180;
    private static final int OUTAGE_UNTIL = 120 * Tally.STRETCHES / 180;

    private static RetrySimulation bundled(String name) throws BadInputException {
        return RetrySimulation.run(name, OptionalLong.empty());
    }

    private static PolicyResult result(RetrySimulation simulation, String policy) {
        return simulation.results().stream()
                .filter(result -> result.name().equals(policy))
                .findFirst()
                .orElseThrow();
    }

    /** The seed is one of the 95 in 100 whose intervals contain the true value. */
    private static RetrySimulation play(String yaml) throws BadInputException, IOException {
        return RetrySimulation.run(
                Scenarios.parse(yaml.getBytes(StandardCharsets.UTF_8), "test", "test"), OptionalLong.of(11));
    }

    private static long sum(long[] series, int from, int until) {
        long sum = 0;
        for (int i = from; i < until; i++) {
            sum += series[i];
        }
        return sum;
    }

    @Test
    @Rule(
            id = "W01",
            says = "linkerd-demo reproduces the blog post's three tables: each success figure within 1.5 points.",
            source = "Linkerd 2.2 retries, Putting it all together")
    void the_demo_of_the_blog_post_is_reproduced() throws BadInputException {
        RetrySimulation demo = bundled("linkerd-demo");
        Offset<Double> close = within(0.015);
        assertThat(result(demo, "no-retries").success().effective()).isCloseTo(0.5085, close);
        assertThat(result(demo, "no-retries").success().actual()).isCloseTo(0.5085, close);
        assertThat(result(demo, "retries").success().effective()).isCloseTo(1, close);
        assertThat(result(demo, "retries").success().actual()).isCloseTo(0.5845, close);
        assertThat(result(demo, "retries-timeout").success().effective()).isCloseTo(0.9773, close);
        assertThat(result(demo, "retries-timeout").success().actual()).isCloseTo(0.4971, close);
        assertThat(result(demo, "retries-timeout").latency().p99Millis()).isLessThanOrEqualTo(25);
    }

    @Test
    @Rule(
            id = "W12",
            says = "In linkerd-demo the blog post's success figures, of one minute each, are within the range of 95 of"
                    + " 100 seeds.",
            source = "Linkerd 2.2 retries, Putting it all together")
    void the_blog_posts_figures_are_within_the_spread_of_many_seeds() throws BadInputException {
        RetrySimulation demo = bundled("linkerd-demo");
        PolicySpread without = demo.spreads().get(0);
        PolicySpread retries = demo.spreads().get(1);
        PolicySpread timeout = demo.spreads().get(2);
        assertThat(without.effectiveSuccess().contains(0.5085)).isTrue();
        assertThat(retries.effectiveSuccess().contains(1)).isTrue();
        assertThat(retries.actualSuccess().contains(0.5845)).isTrue();
        assertThat(timeout.effectiveSuccess().contains(0.9773)).isTrue();
        assertThat(timeout.actualSuccess().contains(0.4971)).isTrue();
        assertThat(without.effectiveSuccess().contains(0.4)).isFalse();
        assertThat(timeout.effectiveSuccess().contains(1)).isFalse();
        assertThat(timeout.p99Millis().high()).isLessThanOrEqualTo(25);
    }

    @Test
    @Rule(
            id = "W14",
            says = "A scenario may have routes, each with its share of the requests, its own success rate and its own"
                    + " policy, under one budget; results have a row for each, [DEFAULT] last.",
            source = "Linkerd 2.2 retries, linkerd routes")
    void results_by_route_add_up() throws Exception {
        PolicyResult whole = play("""
            duration: 1000s
            workload:
              rps: 100
              routes: [{name: read, share: 0.5}, {name: write, share: 0.3, success: 0.5}]
            backend: {success: 0.9, latency: {p50: 5ms, p99: 20ms}}
            policies:
            - name: reads alone are retried
              retry: {attempts: 0}
              routes: [{name: read, retry: {attempts: 2, backoff: 0s}}]
              retryConstraint: {budget: {percent: 3}, minRetryRate: {count: 1, interval: 1h}}
            """).results().get(0);
        PolicyResult read = whole.routes().get(0);
        PolicyResult write = whole.routes().get(1);
        PolicyResult otherwise = whole.routes().get(2);

        assertThat(whole.routes()).extracting(PolicyResult::name).containsExactly("read", "write", "[DEFAULT]");
        assertThat(read.rps().effective()).isCloseTo(50, within(2.0));
        assertThat(write.rps().effective()).isCloseTo(30, within(2.0));
        assertThat(read.rps().actual() + write.rps().actual() + otherwise.rps().actual())
                .isCloseTo(whole.rps().actual(), within(1e-9));
        assertThat(write.amplification()).isEqualTo(1);
        assertThat(write.success().effective()).isCloseTo(0.5, within(0.02));
        assertThat(otherwise.success().effective()).isCloseTo(0.9, within(0.02));
        // 3 of 100 attempts on all routes are 3.1 retries to 100 requests, of which 50 are reads that fail 5 times
        assertThat(read.amplification()).isCloseTo(1 + 2 * 0.03 / 0.97, within(0.005));
        assertThat(read.retriesRefused()).isEqualTo(whole.retriesRefused()).isPositive();
    }

    @Test
    void the_demos_requests_use_one_route() throws BadInputException {
        RetrySimulation demo = bundled("linkerd-demo");
        PolicyResult retries = result(demo, "retries");
        assertThat(retries.routes())
                .extracting(PolicyResult::name)
                .containsExactly(
                        "DELETE /authors/{id}.json",
                        "GET /authors.json",
                        "GET /authors/{id}.json",
                        "HEAD /authors/{id}.json",
                        "POST /authors.json",
                        "[DEFAULT]");
        assertThat(retries.routes().get(3).success()).isEqualTo(retries.success());
        assertThat(retries.routes().get(3).rps()).isEqualTo(retries.rps());
        assertThat(retries.routes().get(5).rps().actual()).isZero();
        assertThat(demo.spreads().get(1).routes().get(3).p99Millis())
                .isEqualTo(demo.spreads().get(1).p99Millis());
    }

    @Test
    @Rule(
            id = "W13",
            says = "In a chain of three services retry storms compound: three fixed retries at each level send 64"
                    + " times the load, budgets of 20 % at each level at most twice.",
            source = "Linkerd 2.2 retries: the number of retries compounds multiplicatively")
    void a_storm_compounds_along_a_chain() throws BadInputException {
        RetrySimulation chain = bundled("chain");
        double usual = loadInOutage(chain, "no-retries");
        assertThat(loadInOutage(chain, "three-retries") / usual).isBetween(60.0, 68.0);
        assertThat(loadInOutage(chain, "linkerd-budget") / usual).isBetween(1.5, 2.0);
        assertThat(loadInOutage(chain, "gateway-api-budget") / usual).isBetween(1.6, 2.1);
        assertThat(result(chain, "three-retries").success().effective())
                .isCloseTo(result(chain, "no-retries").success().effective(), within(0.03));
    }

    @Test
    @Rule(
            id = "W02",
            says = "In a total outage three fixed retries send four times the load; a budget of 20 % sends at most a"
                    + " quarter more than the first attempts.",
            source = "Linkerd 2.2 retries, Why budgets and not max retries?")
    void a_retry_storm_occurs_without_a_budget_and_not_with_one() throws BadInputException {
        RetrySimulation outage = bundled("outage");
        assertThat(loadInOutage(outage, "three-retries") / loadInOutage(outage, "no-retries"))
                .isBetween(3.8, 4.2);
        assertThat(loadInOutage(outage, "gateway-api-budget") / loadInOutage(outage, "no-retries"))
                .isBetween(1.15, 1.27);
        assertThat(loadInOutage(outage, "linkerd-budget") / loadInOutage(outage, "no-retries"))
                .isBetween(1.15, 1.27);
        for (PolicyResult result : outage.results()) {
            long[] after = result.course().succeeded();
            assertThat(sum(after, OUTAGE_UNTIL + 10, Tally.STRETCHES)).isGreaterThan(4_000);
        }
    }

    private static double loadInOutage(RetrySimulation outage, String policy) {
        return sum(result(outage, policy).course().attempts(), OUTAGE_FROM + 3, OUTAGE_UNTIL);
    }

    @Test
    @Rule(
            id = "W03",
            says = "Under fixed retries an overloaded backend stays down after the cause is gone; under a budget it"
                    + " recovers.",
            source = "ours")
    void retries_keep_up_an_overload_after_its_cause_has_gone() throws BadInputException {
        RetrySimulation overload = bundled("overload");
        assertThat(successAtTheEnd(overload, "three-retries")).isLessThan(0.2);
        assertThat(successAtTheEnd(overload, "budget")).isGreaterThan(0.95);
        assertThat(successAtTheEnd(overload, "no-retries")).isGreaterThan(0.95);
    }

    private static double successAtTheEnd(RetrySimulation simulation, String policy) {
        Tally.Course course = result(simulation, policy).course();
        int from = Tally.STRETCHES * 3 / 4;
        return (double) sum(course.succeeded(), from, Tally.STRETCHES) / sum(course.finished(), from, Tally.STRETCHES);
    }

    @Test
    @Rule(
            id = "W04",
            says = "Under ARM's token bucket throttled updates succeed at later ticks; the default budget refuses none"
                    + " of them.",
            source = "ours")
    void the_default_budget_costs_no_update_under_arms_quota() throws BadInputException {
        RetrySimulation quota = bundled("arm-quota");
        assertThat(result(quota, "default").success().effective()).isGreaterThan(0.995);
        assertThat(result(quota, "no-retries-in-the-call").success().effective())
                .isLessThan(0.95);
    }

    @ParameterizedTest
    @CsvSource({"0.9, 1", "0.5, 3", "0.3, 2", "0.75, 5", "0.1, 4", "0, 3", "1, 3"})
    @Rule(
            id = "W05",
            says = "With success probability p and n retries, success is 1-(1-p)^(n+1) and load (1-(1-p)^(n+1))/p,"
                    + " within the reported interval.",
            source = "ours")
    void constant_failure_matches_the_closed_form(double p, int retries) throws Exception {
        PolicyResult result = play("""
            duration: 2000s
            workload: {rps: 50}
            backend: {success: %s, latency: {p50: 5ms, p99: 20ms}}
            policies: [{name: fixed, retry: {attempts: %d, backoff: 10ms}, budget: endless}]
            """.formatted(p, retries)).results().get(0);
        double failed = Math.pow(1 - p, retries + 1);
        double load = p == 0 ? retries + 1 : (1 - failed) / p;
        assertThat(result.confidence95().effectiveSuccess().contains(1 - failed))
                .isTrue();
        assertThat(result.confidence95().actualSuccess().contains(p)).isTrue();
        assertThat(result.amplification())
                .isCloseTo(load, within(1e-9 + half(result.confidence95().amplification())));
    }

    private static double half(Interval interval) {
        return (interval.high() - interval.low()) / 2;
    }

    @ParameterizedTest
    @CsvSource({
        "'retryConstraint: {budget: {percent: 20}, minRetryRate: {count: 1, interval: 1h}}', 1.25",
        "'retryConstraint: {budget: {percent: 50}, minRetryRate: {count: 1, interval: 1h}}', 2.0",
        "'retryBudget: {retryRatio: 0.2, minRetriesPerSecond: 0, ttl: 10s}', 1.2",
        "'retryBudget: {retryRatio: 0.7, minRetriesPerSecond: 0, ttl: 10s}', 1.7",
        "'budget: none', 1.0"
    })
    @Rule(id = "W06", says = "Under a saturated budget the load is exactly what its kind allows.", source = "ours")
    void a_saturated_budget_admits_what_its_kind_allows(String budget, double load) throws Exception {
        PolicyResult result = play("""
            duration: 1000s
            workload: {rps: 200}
            backend: {success: 0, latency: {p50: 5ms, p99: 20ms}}
            policies: [{name: budget, retry: {attempts: 9, backoff: 0s}, %s}]
            """.formatted(budget)).results().get(0);
        assertThat(result.amplification()).isCloseTo(load, within(0.005));
    }

    @Test
    @Rule(
            id = "W07",
            says = "Envoy's budget allows as many concurrent retries as 20 % of the active requests.",
            source = "GEP-3388, Envoy")
    void a_saturated_envoy_budget_bounds_the_retries_in_progress() throws Exception {
        PolicyResult result = play("""
            duration: 500s
            workload: {rps: 500}
            backend: {success: 0, latency: {p50: 200ms, p99: 210ms}}
            policies: [{name: envoy, retry: {attempts: 1, backoff: 0s}, envoy: {min_retry_concurrency: 0}}]
            """).results().get(0);
        assertThat(result.amplification()).isCloseTo(1.25, within(0.03));
    }

    @Test
    @Rule(id = "W08", says = "A seed reproduces a simulation exactly.", source = "ours")
    void a_seed_reproduces_a_run() throws BadInputException {
        assertThat(SimulationJson.of(RetrySimulation.run("outage", OptionalLong.of(7))))
                .isEqualTo(SimulationJson.of(RetrySimulation.run("outage", OptionalLong.of(7))))
                .isNotEqualTo(SimulationJson.of(RetrySimulation.run("outage", OptionalLong.of(8))));
    }

    @Test
    @Rule(id = "W09", says = "A scenario may have a million requests.", source = "ours")
    void a_million_requests_are_simulated() throws Exception {
        RetrySimulation simulation = play("""
            duration: 1000s
            workload: {rps: 1000}
            backend: {success: 0.8, latency: {p50: 5ms, p99: 20ms}}
            policies: [{name: default, retryConstraint: {}}]
            """);
        assertThat(simulation.results().get(0).rps().effective()).isCloseTo(1_000, within(10.0));
    }

    @Test
    @Rule(
            id = "W11",
            says = "A scenario of more than 20 million requests is refused; they are counted phase by phase.",
            source = "ours")
    void a_scenarios_requests_are_counted_phase_by_phase() throws Exception {
        String yaml = """
            duration: 1h
            workload: {rps: 1000}
            backend: {latency: {p50: 20ms, p99: 40ms}}
            phases:
            - {from: 10s, until: 30s, rpsFactor: %d}
            - {from: 20s, until: 40s, rpsFactor: 2}
            - {from: 59m, until: 2h, rpsFactor: 0}
            policies: [{name: a}]
            """;
        byte[] fits = yaml.formatted(100).getBytes(StandardCharsets.UTF_8);
        byte[] isTooMuch = yaml.formatted(1_000).getBytes(StandardCharsets.UTF_8);

        // 10 s, then 10 s of 100,000, of 200,000 and of 2,000 a second, then 3,500 s
        assertThat(Scenarios.parse(fits, "f", "f").requests()).isEqualTo(10_000 + 3_020_000 + 3_500_000);
        assertThatThrownBy(() -> Scenarios.parse(isTooMuch, "f", "f"))
                .hasMessage("f: workload.rps: results in 33530000 requests, must be at most 20 million");
    }
}
