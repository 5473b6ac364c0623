package dev.poolkeeper.lab.retries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether the reported intervals have the claimed coverage: with many seeds, not a chosen one. */
class SimulationCoverageTest {

    private static final int SEEDS = 300;

    /** Of 300, the likely minimum and maximum at a coverage of 95 %: 285, three standard deviations of 3.8. */
    private static final int LEAST = 273;

    private static final int MOST = 297;

    private record Truth(double success, double attemptSuccess, double load) {

        static Truth of(double p, int retries) {
            double failed = Math.pow(1 - p, retries + 1);
            return new Truth(1 - failed, p, (1 - failed) / p);
        }
    }

    @ParameterizedTest
    @CsvSource({"0.9, 1", "0.5, 3", "0.3, 2", "0.75, 5"})
    @Rule(
            id = "W10",
            says = "The 95 % intervals of success and load contain the closed form for about 95 of 100 seeds.",
            source = "ours")
    void intervals_contain_the_closed_form_for_95_of_100_seeds(double p, int retries) {
        List<PolicyResult.Confidence> intervals = intervals(p, retries);
        Truth truth = Truth.of(p, retries);
        assertThat(count(intervals, c -> c.effectiveSuccess().contains(truth.success())))
                .isBetween(LEAST, MOST);
        assertThat(count(intervals, c -> c.actualSuccess().contains(truth.attemptSuccess())))
                .isBetween(LEAST, MOST);
        assertThat(count(intervals, c -> c.amplification().contains(truth.load())))
                .isBetween(LEAST, MOST);
    }

    @Test
    void a_slightly_wrong_model_and_intervals_too_narrow_or_too_wide_are_detected() {
        List<PolicyResult.Confidence> intervals = intervals(0.5, 3);
        Truth truth = Truth.of(0.5, 3);
        assertThat(count(intervals, c -> c.effectiveSuccess().contains(truth.success() - 0.003)))
                .isLessThan(LEAST);
        assertThat(count(
                        intervals,
                        c -> scaled(c.amplification(), half -> 0.7 * half).contains(truth.load())))
                .isLessThan(LEAST);
        assertThat(count(
                        intervals,
                        c -> scaled(c.amplification(), half -> 2 * half).contains(truth.load())))
                .isGreaterThan(MOST);
    }

    private static Interval scaled(Interval interval, DoubleUnaryOperator change) {
        double centre = (interval.low() + interval.high()) / 2;
        double half = change.applyAsDouble((interval.high() - interval.low()) / 2);
        return new Interval(centre - half, centre + half);
    }

    private static int count(List<PolicyResult.Confidence> intervals, Predicate<PolicyResult.Confidence> holds) {
        return (int) intervals.stream().filter(holds).count();
    }

    private static List<PolicyResult.Confidence> intervals(double p, int retries) {
        byte[] scenario = """
            duration: 100s
            workload: {rps: 100}
            backend: {success: %s, latency: {p50: 5ms, p99: 20ms}}
            policies: [{name: fixed, retry: {attempts: %d, backoff: 10ms}, budget: endless}]
            """.formatted(p, retries).getBytes(StandardCharsets.UTF_8);
        return LongStream.range(0, SEEDS)
                .mapToObj(seed -> result(scenario, seed).confidence95())
                .toList();
    }

    private static PolicyResult result(byte[] scenario, long seed) {
        try {
            return RetrySimulation.run(Scenarios.parse(scenario, "test", "test"), OptionalLong.of(seed))
                    .results()
                    .get(0);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
