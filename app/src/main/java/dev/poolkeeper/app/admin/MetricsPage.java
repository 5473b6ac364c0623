package dev.poolkeeper.app.admin;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * The scrape endpoint for Prometheus: OpenMetrics if the client accepts it, else Prometheus' text format. Thread-safe.
 */
record MetricsPage(Supplier<MetricSnapshots> metrics) implements Page {

    @Override
    public PageAnswer answer(Request request) throws IOException {
        ExpositionFormatWriter writer = request.accept().contains("application/openmetrics-text")
                ? OpenMetricsTextFormatWriter.create()
                : PrometheusTextFormatWriter.create();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writer.write(out, metrics.get(), EscapingScheme.UNDERSCORE_ESCAPING);
        return new PageAnswer(200, writer.getContentType(), out.toByteArray());
    }
}
