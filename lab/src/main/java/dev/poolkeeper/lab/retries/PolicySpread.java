package dev.poolkeeper.lab.retries;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The spread of one policy's results over many seeds.
 *
 * @param name the name of the policy
 * @param effectiveSuccess the share of requests that succeed
 * @param effectiveRps requests per second
 * @param actualSuccess the share of attempts that succeed in time
 * @param actualRps attempts per second
 * @param p50Millis the median duration of a request
 * @param p95Millis its 95th percentile
 * @param p99Millis its 99th percentile
 * @param routes the same for each route of the scenario, {@code [DEFAULT]} last; empty if it has none
 */
public record PolicySpread(
        String name,
        Range effectiveSuccess,
        Range effectiveRps,
        Range actualSuccess,
        Range actualRps,
        Range p50Millis,
        Range p95Millis,
        Range p99Millis,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PolicySpread> routes) {

    public PolicySpread {
        routes = List.copyOf(routes);
    }

    /**
     * The distribution of a value.
     *
     * @param low the 2.5th percentile over the seeds
     * @param median the median
     * @param high the 97.5th percentile
     */
    public record Range(double low, double median, double high) {

        private static final double LOW = 0.025;
        private static final double HIGH = 0.975;

        static Range of(List<PolicyResult> results, ToDoubleFunction<PolicyResult> value) {
            double[] sorted = results.stream().mapToDouble(value).sorted().toArray();
            return new Range(at(sorted, LOW), at(sorted, 0.5), at(sorted, HIGH));
        }

        private static double at(double[] sorted, double share) {
            return sorted[(int) Math.round(share * (sorted.length - 1))];
        }

        boolean contains(double value) {
            return low <= value && value <= high;
        }
    }

    /** @param results of one policy, one per seed; at least one */
    static PolicySpread of(List<PolicyResult> results) {
        return new PolicySpread(
                results.get(0).name(),
                Range.of(results, each -> each.success().effective()),
                Range.of(results, each -> each.rps().effective()),
                Range.of(results, each -> each.success().actual()),
                Range.of(results, each -> each.rps().actual()),
                Range.of(results, each -> each.latency().p50Millis()),
                Range.of(results, each -> each.latency().p95Millis()),
                Range.of(results, each -> each.latency().p99Millis()),
                IntStream.range(0, results.get(0).routes().size())
                        .mapToObj(route -> of(results.stream()
                                .map(each -> each.routes().get(route))
                                .toList()))
                        .toList());
    }
}
