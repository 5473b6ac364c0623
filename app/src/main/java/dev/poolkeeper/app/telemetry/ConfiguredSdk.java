package dev.poolkeeper.app.telemetry;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** OpenTelemetry's SDK as {@code OTEL_*} and our defaults configure it. */
final class ConfiguredSdk {

    private static final String METRICS_EXPORTER = "otel.metrics.exporter";
    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("otel.service.name", "poolkeeper"),
            Map.entry(METRICS_EXPORTER, "none"),
            Map.entry("otel.traces.exporter", "none"),
            Map.entry("otel.logs.exporter", "none"),
            Map.entry("otel.exporter.otlp.protocol", "http/protobuf")); // the libraries for gRPC are not included

    private ConfiguredSdk() {}

    /**
     * Builds the SDK.
     *
     * @param settings override {@code OTEL_*}; keys are the names of system properties
     * @param more adds what the variables cannot say
     * @throws IllegalArgumentException if {@code OTEL_*} is invalid; the message names the variable
     */
    static OpenTelemetrySdk build(Map<String, String> settings, Consumer<AutoConfigurationCustomizer> more) {
        var builder = AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook() // the daemon closes it as part of its shutdown
                .addPropertiesSupplier(() -> DEFAULTS)
                .addPropertiesCustomizer(found -> settings)
                .addPropertiesCustomizer(OtlpVariables::check)
                .addPropertiesCustomizer(ConfiguredSdk::withoutSecondPort)
                .addPropertiesCustomizer(ConfiguredSdk::withoutExemplarsOfNoTrace);
        more.accept(builder);
        try {
            return builder.build().getOpenTelemetrySdk();
        } catch (ConfigurationException | IllegalStateException e) { // the latter if gRPC's libraries are needed
            throw new IllegalArgumentException("OpenTelemetry: " + reason(e), e);
        }
    }

    /** The SDK wraps what its parts throw and says no more than that it was unexpected. */
    private static String reason(Exception e) {
        Throwable cause = e.getCause();
        return cause == null
                        || cause.getMessage() == null
                        || String.valueOf(e.getMessage()).contains(cause.getMessage())
                ? String.valueOf(e.getMessage())
                : e.getMessage() + ": " + cause.getMessage();
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
}
