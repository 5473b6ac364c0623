package dev.poolkeeper.app.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TelemetryTest {

    private static void measure(Telemetry telemetry) {
        new ObservedTicks(telemetry.meter(), telemetry.tracer(), InstantSource.system(), System::nanoTime)
                .observe(() -> CompletableFuture.completedFuture(null))
                .join();
    }

    @Test
    void without_configuration_nothing_is_sent_and_metrics_are_there_to_be_scraped() {
        try (Telemetry telemetry = Telemetry.start("1", Map.of())) {
            measure(telemetry);
            assertThat(telemetry
                            .tracer()
                            .spanBuilder("x")
                            .startSpan()
                            .getSpanContext()
                            .isValid())
                    .as("the SDK makes spans even where nobody takes them")
                    .isTrue();
            assertThat(telemetry.scrape().stream()
                            .map(metric -> metric.getMetadata().getName()))
                    .contains("poolkeeper_tick_duration_seconds");
        }
    }

    @Test
    @Rule(
            id = "O3",
            says = "Metrics and spans go by OTLP where `OTEL_*` says so, over the JDK's HTTP client; what is still to"
                    + " be sent goes out before the daemon ends.",
            source = "OpenTelemetry specification, SDK environment variables")
    void metrics_and_spans_go_by_otlp_where_otel_says_so() throws IOException {
        // given
        List<String> received = new CopyOnWriteArrayList<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                received.add(exchange.getRequestURI().getPath());
                exchange.sendResponseHeaders(200, -1);
            }
        });
        collector.start();
        // when
        try (Telemetry telemetry = Telemetry.start(
                "1",
                Map.of(
                        "otel.traces.exporter", "otlp",
                        "otel.metrics.exporter", "otlp,prometheus",
                        "otel.exporter.otlp.endpoint",
                                "http://127.0.0.1:" + collector.getAddress().getPort()))) {
            measure(telemetry);
        } finally {
            collector.stop(0);
        }
        // then
        assertThat(received).contains("/v1/traces", "/v1/metrics");
    }

    @Test
    void a_disabled_sdk_measures_nothing_and_harms_nobody() {
        try (Telemetry telemetry = Telemetry.start("1", Map.of("otel.sdk.disabled", "true"))) {
            measure(telemetry);
            assertThat(telemetry.scrape().stream()).isEmpty();
        }
    }

    @Test
    void nonsense_is_told_with_its_name() {
        assertThatThrownBy(() -> Telemetry.start("1", Map.of("otel.traces.exporter", "zipkinn")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("otel.traces.exporter")
                .hasMessageContaining("zipkinn");
    }

    @Test
    void grpc_is_refused_at_once() {
        assertThatThrownBy(() -> Telemetry.start(
                        "1", Map.of("otel.traces.exporter", "otlp", "otel.exporter.otlp.protocol", "grpc")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("OpenTelemetry: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.opentelemetry.exporter.sender.okhttp.internal.OkHttpHttpSender",
                "io.netty.channel.Channel",
                "com.google.protobuf.Message"
            })
    void no_second_http_stack_is_on_the_class_path(String name) {
        assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
    }
}
