package dev.poolkeeper.app.telemetry;

import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.prometheus.PrometheusMetricReader;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.export.ProxyOptions;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.net.ProxySelector;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * OpenTelemetry's SDK, configured by {@code OTEL_*} (environment or system properties). By default metrics are only
 * available for scraping, and no traces or logs are exported.
 *
 * <p>{@code prometheus} as {@code OTEL_METRICS_EXPORTER} opens no second port: the metrics page always uses
 * {@link #scrape}. With {@code OTEL_SDK_DISABLED=true} there are no metrics to scrape.
 *
 * <p>Thread-safe.
 */
public final class Telemetry implements AutoCloseable {

    private static final String SCOPE = "dev.poolkeeper";

    private final OpenTelemetrySdk sdk;
    private final PrometheusMetricReader reader;
    private final String version;

    private Telemetry(OpenTelemetrySdk sdk, PrometheusMetricReader reader, String version) {
        this.sdk = sdk;
        this.reader = reader;
        this.version = version;
    }

    /**
     * Starts the SDK. Nothing is exported before something is measured.
     *
     * @param version the program's version
     * @param proxies for what is exported
     * @throws IllegalArgumentException if {@code OTEL_*} is invalid; the message names the variable
     */
    public static Telemetry start(String version, ProxySelector proxies) {
        return start(version, proxies, Map.of());
    }

    /** Telemetry that measures but whose results are never read. */
    public static Telemetry unread() {
        return new Telemetry(
                OpenTelemetrySdk.builder().build(),
                PrometheusMetricReader.builder().build(),
                "");
    }

    /** @param settings override {@code OTEL_*}; keys are the names of system properties */
    static Telemetry start(String version, ProxySelector proxies, Map<String, String> settings) {
        ProxyOptions proxy = ProxyOptions.create(proxies);
        PrometheusMetricReader reader = PrometheusMetricReader.builder()
                .setOtelScopeLabelsEnabled(false)
                .build();
        OpenTelemetrySdk sdk = ConfiguredSdk.build(
                settings,
                builder -> builder.addSpanExporterCustomizer(
                                (exporter, found) -> exporter instanceof OtlpHttpSpanExporter otlp
                                        ? otlp.toBuilder().setProxy(proxy).build()
                                        : exporter)
                        .addMetricExporterCustomizer((exporter, found) -> exporter
                                        instanceof OtlpHttpMetricExporter otlp
                                ? otlp.toBuilder().setProxyOptions(proxy).build()
                                : exporter)
                        .addLogRecordExporterCustomizer((exporter, found) -> exporter
                                        instanceof OtlpHttpLogRecordExporter otlp
                                ? otlp.toBuilder().setProxyOptions(proxy).build()
                                : exporter)
                        .addMeterProviderCustomizer((provider, found) -> provider.registerMetricReader(reader)));
        return new Telemetry(sdk, reader, version);
    }

    /**
     * Validates {@code OTEL_*} as {@link #start} does. Exports nothing, not even what the SDK measures about itself.
     *
     * @throws IllegalArgumentException if {@code OTEL_*} is invalid; the message names the variable
     */
    public static void check() {
        ConfiguredSdk.build(
                        Map.of(),
                        builder -> builder.addSpanExporterCustomizer((exporter, found) -> {
                                    exporter.shutdown();
                                    return SpanExporter.composite();
                                })
                                .addLogRecordExporterCustomizer((exporter, found) -> {
                                    exporter.shutdown();
                                    return LogRecordExporter.composite();
                                })
                                .addMetricReaderCustomizer((exporting, found) -> {
                                    exporting.shutdown(); // not registered yet, so there is nothing to export
                                    return PrometheusMetricReader.builder().build();
                                }))
                .close();
    }

    /** Creates instruments. */
    public Meter meter() {
        return sdk.getMeterProvider()
                .meterBuilder(SCOPE)
                .setInstrumentationVersion(version)
                .build();
    }

    /** Creates spans. */
    public Tracer tracer() {
        return sdk.getTracerProvider()
                .tracerBuilder(SCOPE)
                .setInstrumentationVersion(version)
                .build();
    }

    /** Writes a span's context into headers: {@code traceparent} unless {@code OTEL_PROPAGATORS} says otherwise. */
    public TextMapPropagator propagator() {
        return sdk.getPropagators().getTextMapPropagator();
    }

    /** All metrics, for Prometheus. Reads every gauge. */
    public MetricSnapshots scrape() {
        return reader.collect();
    }

    /** Exports pending data, for a few seconds at most, and stops. */
    @Override
    public void close() {
        sdk.shutdown().join(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
}
