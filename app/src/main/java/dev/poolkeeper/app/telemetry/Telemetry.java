package dev.poolkeeper.app.telemetry;

import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.prometheus.PrometheusMetricReader;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.common.export.ProxyOptions;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.net.ProxySelector;
import java.time.Duration;
import java.util.List;
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
    private static final String METRICS_EXPORTER = "otel.metrics.exporter";
    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("otel.service.name", "poolkeeper"),
            Map.entry(METRICS_EXPORTER, "none"),
            Map.entry("otel.traces.exporter", "none"),
            Map.entry("otel.logs.exporter", "none"),
            Map.entry("otel.exporter.otlp.protocol", "http/protobuf")); // the libraries for gRPC are not included

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
        try {
            OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.builder()
                    .disableShutdownHook() // the daemon closes it as part of its shutdown
                    .addPropertiesSupplier(() -> DEFAULTS)
                    .addPropertiesCustomizer(found -> settings)
                    .addPropertiesCustomizer(Telemetry::withoutSecondPort)
                    .addPropertiesCustomizer(Telemetry::withoutExemplarsOfNoTrace)
                    .addSpanExporterCustomizer((exporter, found) -> exporter instanceof OtlpHttpSpanExporter otlp
                            ? otlp.toBuilder().setProxy(proxy).build()
                            : exporter)
                    .addMetricExporterCustomizer((exporter, found) -> exporter instanceof OtlpHttpMetricExporter otlp
                            ? otlp.toBuilder().setProxyOptions(proxy).build()
                            : exporter)
                    .addLogRecordExporterCustomizer(
                            (exporter, found) -> exporter instanceof OtlpHttpLogRecordExporter otlp
                                    ? otlp.toBuilder().setProxyOptions(proxy).build()
                                    : exporter)
                    .addMeterProviderCustomizer((provider, found) -> provider.registerMetricReader(reader))
                    .build()
                    .getOpenTelemetrySdk();
            return new Telemetry(sdk, reader, version);
        } catch (ConfigurationException | IllegalStateException e) { // the latter if gRPC's libraries are needed
            throw new IllegalArgumentException("OpenTelemetry: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> withoutSecondPort(ConfigProperties found) {
        List<String> exporters = found.getList(METRICS_EXPORTER).stream()
                .filter(exporter -> !exporter.equals("prometheus"))
                .toList();
        return Map.of(METRICS_EXPORTER, exporters.isEmpty() ? "none" : String.join(",", exporters));
    }

    /** Spans are created even if none are exported; an exemplar would refer to a trace that does not exist. */
    private static Map<String, String> withoutExemplarsOfNoTrace(ConfigProperties found) {
        return "none".equals(found.getString("otel.traces.exporter"))
                ? Map.of("otel.metrics.exemplar.filter", "always_off")
                : Map.of();
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
