package dev.poolkeeper.app.telemetry;

import dev.poolkeeper.ports.ForeignText;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** Creates the instruments of the {@link Metric}s. Each metric is created once. Thread-safe. */
final class Instruments {

    /** The Go implementation's buckets, in seconds. */
    static final List<Double> OPERATION_BUCKETS =
            List.of(.1, .2, .5, 1., 5., 10., 15., 20., 30., 40., 50., 60., 100., 200., 300., 600., 1200.);

    /** Time from a change to its completion, in seconds; finest around Kubernetes' objective of 30. */
    static final List<Double> CHANGE_BUCKETS =
            List.of(.5, 1., 2., 3., 5., 7.5, 10., 15., 20., 25., 30., 40., 60., 90., 120., 180., 300., 600.);

    /**
     * Duration of a request, in seconds: OpenTelemetry's advice for HTTP clients, extended to ARM's slowest responses.
     */
    static final List<Double> REQUEST_BUCKETS =
            List.of(.005, .01, .025, .05, .075, .1, .25, .5, .75, 1., 2.5, 5., 7.5, 10., 30., 60., 120.);

    /** Receives the values of one scrape. */
    @FunctionalInterface
    interface Readings {
        void set(Metric metric, double value, Attributes attributes);

        /** A whole number, which a double holds exactly up to 2^53. */
        default void set(Metric metric, long value, Attributes attributes) {
            set(metric, (double) value, attributes);
        }
    }

    private final Meter meter;

    Instruments(Meter meter) {
        this.meter = meter;
    }

    LongCounter counter(Metric metric) {
        return meter.counterBuilder(metric.otelName())
                .setUnit(metric.unit())
                .setDescription(metric.meaning())
                .build();
    }

    DoubleHistogram histogram(Metric metric, List<Double> buckets) {
        return meter.histogramBuilder(metric.otelName())
                .setUnit(metric.unit())
                .setDescription(metric.meaning())
                .setExplicitBucketBoundariesAdvice(buckets)
                .build();
    }

    /**
     * Registers gauges and counters whose values are read together at each scrape.
     *
     * @param source supplies the values; if it throws, the scrape has none of them
     */
    void observe(Set<Metric> metrics, Consumer<Readings> source) {
        Map<Metric, ObservableDoubleMeasurement> measurements = new EnumMap<>(Metric.class);
        metrics.forEach(metric -> measurements.put(metric, observer(metric)));
        Readings readings = (metric, value, attributes) ->
                Objects.requireNonNull(measurements.get(metric)).record(value, attributes);
        ObservableMeasurement[] all = measurements.values().toArray(ObservableMeasurement[]::new);
        var unused = meter.batchCallback(() -> source.accept(readings), all[0], Arrays.copyOfRange(all, 1, all.length));
    }

    private ObservableDoubleMeasurement observer(Metric metric) {
        return metric.kind() == Metric.Kind.COUNTER
                ? meter.counterBuilder(metric.otelName())
                        .ofDoubles()
                        .setUnit(metric.unit())
                        .setDescription(metric.meaning())
                        .buildObserver()
                : meter.gaugeBuilder(metric.otelName())
                        .setUnit(metric.unit())
                        .setDescription(metric.meaning())
                        .buildObserver();
    }

    /** The metric's labels with these values, in order. */
    static Attributes labels(Metric metric, String... values) {
        if (values.length != metric.labels().size()) {
            throw new IllegalArgumentException("%s has the labels %s, got %s values"
                    .formatted(metric.prometheusName(), metric.labels(), values.length));
        }
        AttributesBuilder attributes = Attributes.builder();
        for (int i = 0; i < values.length; i++) {
            attributes.put(metric.labels().get(i), ForeignText.line(values[i]));
        }
        return attributes.build();
    }
}
