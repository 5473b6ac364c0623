package dev.poolkeeper.app.telemetry;

import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.exporter.prometheus.PrometheusMetricReader;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * OpenTelemetry's SDK, as {@code OTEL_*} (environment or system properties) configures it. Where they say nothing:
 * metrics are there to be scraped and go nowhere else, and there are no traces and no logs by OTLP.
 *
 * <p>{@code prometheus} as {@code OTEL_METRICS_EXPORTER} opens no second port: what is scraped comes from
 * {@link #scrape}, always. With {@code OTEL_SDK_DISABLED=true} there is nothing to scrape.
 *
 * <p>Thread-safe.
 */
public final class Telemetry implements AutoCloseable {

    private static final String SCOPE = "dev.poolkeeper";
    private static final String METRICS_EXPORTER = "otel.metrics.exporter";
    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("otel.service.name", "poolkeeper"),
            Map.entry(METRICS_EXPORTER, "none"),
            Map.entry("otel.traces.exporter", "none"),
            Map.entry("otel.logs.exporter", "none"),
            Map.entry("otel.exporter.otlp.protocol", "http/protobuf")); // there are no libraries for gRPC

    private final OpenTelemetrySdk sdk;
    private final PrometheusMetricReader reader;
    private final String version;

    private Telemetry(OpenTelemetrySdk sdk, PrometheusMetricReader reader, String version) {
        this.sdk = sdk;
        this.reader = reader;
        this.version = version;
    }

    /**
     * Starts the SDK. Nothing is sent before something is measured.
     *
     * @param version the program's
     * @throws IllegalArgumentException if {@code OTEL_*} cannot be understood; the message names the variable
     */
    public static Telemetry start(String version) {
        return start(version, Map.of());
    }

    /** What measures, and no one reads it: there is nothing to scrape. */
    public static Telemetry unread() {
        return new Telemetry(
                OpenTelemetrySdk.builder().build(),
                PrometheusMetricReader.builder().build(),
                "");
    }

    /** @param settings stronger than {@code OTEL_*}, by the names of system properties */
    static Telemetry start(String version, Map<String, String> settings) {
        PrometheusMetricReader reader = PrometheusMetricReader.builder()
                .setOtelScopeLabelsEnabled(false)
                .build();
        try {
            OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.builder()
                    .disableShutdownHook() // the daemon closes it, in its order
                    .addPropertiesSupplier(() -> DEFAULTS)
                    .addPropertiesCustomizer(found -> settings)
                    .addPropertiesCustomizer(Telemetry::withoutSecondPort)
                    .addPropertiesCustomizer(Telemetry::withoutExemplarsOfNoTrace)
                    .addMeterProviderCustomizer((provider, found) -> provider.registerMetricReader(reader))
                    .build()
                    .getOpenTelemetrySdk();
            return new Telemetry(sdk, reader, version);
        } catch (ConfigurationException | IllegalStateException e) { // the latter where gRPC's libraries are missed
            throw new IllegalArgumentException("OpenTelemetry: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> withoutSecondPort(ConfigProperties found) {
        List<String> exporters = found.getList(METRICS_EXPORTER).stream()
                .filter(exporter -> !exporter.equals("prometheus"))
                .toList();
        return Map.of(METRICS_EXPORTER, exporters.isEmpty() ? "none" : String.join(",", exporters));
    }

    /** Spans are made even where none are exported; an exemplar would name a trace that is nowhere. */
    private static Map<String, String> withoutExemplarsOfNoTrace(ConfigProperties found) {
        return "none".equals(found.getString("otel.traces.exporter"))
                ? Map.of("otel.metrics.exemplar.filter", "always_off")
                : Map.of();
    }

    /** Where instruments are made. */
    public Meter meter() {
        return sdk.getMeterProvider()
                .meterBuilder(SCOPE)
                .setInstrumentationVersion(version)
                .build();
    }

    /** Where spans are made. */
    public Tracer tracer() {
        return sdk.getTracerProvider()
                .tracerBuilder(SCOPE)
                .setInstrumentationVersion(version)
                .build();
    }

    /**
     * How a span's context is written into headers: {@code traceparent}, where {@code OTEL_PROPAGATORS} says no other.
     */
    public TextMapPropagator propagator() {
        return sdk.getPropagators().getTextMapPropagator();
    }

    /** Everything measured, for Prometheus. Asks every gauge. */
    public MetricSnapshots scrape() {
        return reader.collect();
    }

    /** Sends what is still to be sent, for a few seconds at most, and stops. */
    @Override
    public void close() {
        sdk.shutdown().join(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
}
