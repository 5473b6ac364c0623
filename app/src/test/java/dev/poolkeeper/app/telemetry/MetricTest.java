package dev.poolkeeper.app.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.status.Statuses;
import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.contract.Rule;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MetricTest {

    private final EveryMetric every = new EveryMetric();

    @AfterEach
    void stop() {
        every.close();
    }

    private static Map<String, String> labels(DataPointSnapshot point) {
        return point.getLabels().stream()
                .collect(Collectors.toMap(Label::getName, Label::getValue, (a, b) -> a, TreeMap::new));
    }

    private double value(Metric metric, Map<String, String> labels) {
        return every.snapshot(metric).getDataPoints().stream()
                .filter(point -> labels(point).equals(labels))
                .mapToDouble(point -> switch (point) {
                    case CounterSnapshot.CounterDataPointSnapshot counter -> counter.getValue();
                    case GaugeSnapshot.GaugeDataPointSnapshot gauge -> gauge.getValue();
                    case HistogramSnapshot.HistogramDataPointSnapshot histogram -> histogram.getCount();
                    default -> throw new AssertionError(point);
                })
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + metric + labels));
    }

    @Test
    void a_scrape_returns_exactly_the_listed_metrics() {
        // when
        every.useEverything();
        // then
        assertThat(every.telemetry.scrape().stream()
                        .map(snapshot -> snapshot.getMetadata().getPrometheusName()
                                + (snapshot instanceof CounterSnapshot ? "_total" : ""))
                        .filter(name -> !name.equals("target_info") && !name.equals("target")))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Metric.values())
                        .map(Metric::prometheusName)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void each_metric_has_a_type_labels_and_a_description(Metric metric) {
        every.useEverything();
        MetricSnapshot snapshot = every.snapshot(metric);
        assertThat(snapshot)
                .isInstanceOf(
                        switch (metric.kind()) {
                            case COUNTER -> CounterSnapshot.class;
                            case GAUGE -> GaugeSnapshot.class;
                            case HISTOGRAM -> HistogramSnapshot.class;
                        });
        assertThat(snapshot.getMetadata().getHelp()).isEqualTo(metric.meaning());
        assertThat(snapshot.getDataPoints())
                .isNotEmpty()
                .allSatisfy(point ->
                        assertThat(labels(point).keySet()).containsExactlyInAnyOrderElementsOf(metric.labels()));
    }

    @Test
    @Rule(
            id = "O1",
            says = "An update that has ended, successfully or not, is one observation of"
                    + " cloudprovider_azure_op_duration_seconds, and a failed one also counts in"
                    + " cloudprovider_azure_op_failure_count_total, under the Go implementation's labels; a retry is"
                    + " neither.",
            source = "design document, Metrics",
            differs = "The counter's name ends in `_total`, as the exporter writes every counter.")
    void outcomes_are_counted_under_the_names_of_the_go_implementation() {
        // given
        Map<String, String> labels = Map.of(
                "request", "services_local_update_backend_pool",
                "resource_group", "mc_group",
                "subscription_id", "sub-1",
                "source", "local_service_backend_pool_updater");
        // when
        every.useEverything();
        ToldAttempt.begin(every.metrics, EveryMetric.POOL).retried(EveryMetric.CONFLICT);
        // then
        assertThat(value(Metric.OPERATION_DURATION, labels)).isEqualTo(2);
        assertThat(value(Metric.OPERATION_FAILURES, labels)).isEqualTo(1);
        HistogramSnapshot durations = (HistogramSnapshot) every.snapshot(Metric.OPERATION_DURATION);
        assertThat(durations.getDataPoints().get(0).getSum()).isEqualTo(0.25);
        assertThat(durations.getDataPoints().get(0).getClassicBuckets().stream()
                        .map(bucket -> bucket.getUpperBound())
                        .filter(bound -> !bound.isInfinite()))
                .isEqualTo(
                        List.of(.1, .2, .5, 1., 5., 10., 15., 20., 30., 40., 50., 60., 100., 200., 300., 600., 1200.));
    }

    @Test
    void requests_are_counted_by_result() {
        every.useEverything();
        assertThat(value(Metric.ARM_REQUEST_DURATION, Map.of("method", "GET", "purpose", "read", "status", "503")))
                .isEqualTo(1);
        assertThat(value(
                        Metric.ARM_REQUEST_DURATION, Map.of("method", "GET", "purpose", "read", "status", "timed_out")))
                .isEqualTo(1);
        assertThat(value(Metric.CALL_RETRIES, Map.of("purpose", "read", "cause", "503")))
                .isEqualTo(1);
        assertThat(value(Metric.RETRIES_REFUSED, Map.of("scope", "call"))).isEqualTo(1);
        assertThat(value(Metric.RETRIES_REFUSED, Map.of("scope", "tick"))).isEqualTo(1);
        assertThat(value(Metric.ARM_GATE_REFUSALS, Map.of("purpose", "read"))).isEqualTo(1);
        assertThat(value(Metric.RETRIES, Map.of("cause", "conflict"))).isEqualTo(1);
    }

    @Test
    void gauges_show_the_status() {
        assertThat(value(Metric.GATE_SHUT, Map.of("gate", "writes"))).isEqualTo(17);
        assertThat(value(Metric.GATE_SHUT, Map.of("gate", "reads"))).isEqualTo(0);
        assertThat(value(Metric.GATE_SHUT, Map.of("gate", "load_balancers"))).isEqualTo(3);
        assertThat(value(Metric.QUEUE_OPERATIONS, Map.of())).isEqualTo(7);
        assertThat(value(Metric.PARKED_LONGEST_WAIT, Map.of())).isEqualTo(90);
        assertThat(value(Metric.BUDGET_BALANCE, Map.of())).isEqualTo(8);
        assertThat(value(Metric.POOLS, Map.of())).isEqualTo(3);
        assertThat(value(Metric.POOLS_DIFFERING, Map.of())).isEqualTo(2);
        assertThat(value(Metric.LEADER, Map.of())).isEqualTo(1);
        assertThat(value(Metric.RESOURCE_LOCK_HELD, Map.of())).isEqualTo(0);
        assertThat(value(Metric.RESOURCE_LOCK_HELD_BY_ANOTHER, Map.of())).isEqualTo(1);
        assertThat(value(Metric.SAFETY_BRAKE, Map.of())).isEqualTo(1);
        assertThat(value(Metric.POLICIES_REFUSED, Map.of())).isEqualTo(1);
        assertThat(value(Metric.WATCH_OBJECTS, Map.of("kind", "Service"))).isEqualTo(42);
        assertThat(value(Metric.WATCH_SILENCE, Map.of("kind", "Service"))).isEqualTo(90);
        assertThat(value(Metric.EVENTS, Map.of("result", "dropped"))).isEqualTo(12);
        assertThat(value(Metric.LAST_SUCCESSFUL_TICK, Map.of()))
                .isEqualTo(Statuses.NOW.minusSeconds(7).toEpochMilli() / 1e3);
        assertThat(value(Metric.BUILD_INFO, Map.of("version", "1.2.3"))).isEqualTo(1);
    }

    @Test
    @Rule(
            id = "O13",
            says = "The time from each change of a pool's wanted addresses until the pool holds them is one"
                    + " observation of poolkeeper_network_programming_duration_seconds; pools in outage, the age of"
                    + " the oldest change, and the total time with missing or stale addresses are metrics too.",
            source = "Kubernetes, Network programming latency SLI/SLO details")
    void freshness_is_measured() {
        // when
        every.useEverything();
        // then
        HistogramSnapshot changes = (HistogramSnapshot) every.snapshot(Metric.CHANGE_TO_WRITTEN);
        assertThat(changes.getDataPoints().get(0).getCount()).isEqualTo(1);
        assertThat(changes.getDataPoints().get(0).getSum()).isEqualTo(4.2);
        assertThat(changes.getDataPoints().get(0).getClassicBuckets().stream().map(bucket -> bucket.getUpperBound()))
                .containsExactly(
                        .5,
                        1.,
                        2.,
                        3.,
                        5.,
                        7.5,
                        10.,
                        15.,
                        20.,
                        25.,
                        30.,
                        40.,
                        60.,
                        90.,
                        120.,
                        180.,
                        300.,
                        600.,
                        Double.POSITIVE_INFINITY);
        HistogramSnapshot requests = (HistogramSnapshot) every.snapshot(Metric.ARM_REQUEST_DURATION);
        assertThat(requests.getDataPoints().get(0).getClassicBuckets().stream().map(bucket -> bucket.getUpperBound()))
                .containsExactly(
                        .005,
                        .01,
                        .025,
                        .05,
                        .075,
                        .1,
                        .25,
                        .5,
                        .75,
                        1.,
                        2.5,
                        5.,
                        7.5,
                        10.,
                        30.,
                        60.,
                        120.,
                        Double.POSITIVE_INFINITY);
        assertThat(value(Metric.POOLS_IN_OUTAGE, Map.of())).isEqualTo(1);
        assertThat(value(Metric.OLDEST_CHANGE, Map.of())).isEqualTo(20);
        assertThat(value(Metric.OUTAGE_TIME, Map.of())).isEqualTo(30);
        assertThat(value(Metric.MISSING_ADDRESS_TIME, Map.of())).isEqualTo(90);
        assertThat(value(Metric.STALE_ADDRESS_TIME, Map.of())).isEqualTo(10);
    }

    @Test
    void all_gauges_of_a_scrape_come_from_one_status() {
        every.telemetry.scrape();
        assertThat(every.statusesTaken).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void a_label_is_safe_to_print(Metric metric) {
        String[] hostile =
                metric.labels().stream().map(label -> HostileText.ALL).toArray(String[]::new);

        Instruments.labels(metric, hostile).forEach((key, value) -> HostileText.assertSafe(String.valueOf(value)));
    }
}
