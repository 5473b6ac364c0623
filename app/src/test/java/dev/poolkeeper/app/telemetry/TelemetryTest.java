package dev.poolkeeper.app.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.ports.PoolKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TelemetryTest {

    private static void measure(Telemetry telemetry) {
        new ObservedTicks(telemetry.meter(), telemetry.tracer(), InstantSource.system(), System::nanoTime)
                .observe(() -> CompletableFuture.completedFuture(null))
                .join();
    }

    @Test
    void without_configuration_nothing_is_exported_and_metrics_can_be_scraped() {
        try (Telemetry telemetry = Telemetry.start("1", Proxies.NONE, Map.of())) {
            measure(telemetry);
            assertThat(telemetry
                            .tracer()
                            .spanBuilder("x")
                            .startSpan()
                            .getSpanContext()
                            .isValid())
                    .as("the SDK creates spans even without an exporter")
                    .isTrue();
            assertThat(telemetry.scrape().stream()
                            .map(metric -> metric.getMetadata().getName()))
                    .contains("poolkeeper_tick_duration_seconds");
        }
    }

    /** The trace that the histogram names, as Prometheus scrapes it; empty if it names none. */
    private static List<String> exemplars(String tracesExporter, List<String> traces) throws IOException {
        try (Telemetry telemetry = Telemetry.start(
                "1",
                Proxies.NONE,
                Map.of("otel.traces.exporter", tracesExporter, "otel.exporter.otlp.endpoint", "http://127.0.0.1:9"))) {
            OperationMetrics metrics =
                    new OperationMetrics(telemetry.meter(), telemetry.tracer(), () -> 0L, "sub-1", "group");
            PoolKey pool = PoolKey.of("lb-1", "shop-web");
            try (Scope unused =
                    telemetry.tracer().spanBuilder("another").startSpan().makeCurrent()) {
                metrics.accept(new Fact.ChangeWritten(PoolKey.of("lb-1", "not-updated"), Duration.ofMinutes(5)));
            }
            for (int i = 0; i < 20; i++) {
                ToldAttempt unused = ToldAttempt.begin(metrics, PoolKey.of("lb-1", "in-progress-" + i));
            }
            ToldAttempt update = ToldAttempt.begin(metrics, pool);
            traces.add(Span.fromContext((Context) update.attempt.trace())
                    .getSpanContext()
                    .getTraceId());
            metrics.accept(new Fact.ChangeWritten(pool, Duration.ofSeconds(3)));
            update.succeeded();
            update.end();
            metrics.accept(new Fact.ChangeWritten(pool, Duration.ofSeconds(50))); // by no update in progress
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            OpenMetricsTextFormatWriter.create().write(text, telemetry.scrape());
            return Pattern.compile("_bucket\\{.* # \\{.*trace_id=\"(\\w+)\"")
                    .matcher(text.toString(UTF_8))
                    .results()
                    .map(found -> found.group(1))
                    .toList();
        }
    }

    @Test
    @Rule(
            id = "O27",
            says = "If traces are exported, the histograms of updates and of changes have the update's trace as an"
                    + " exemplar; otherwise there are no exemplars.",
            source = "OpenMetrics, exemplars")
    void histograms_have_exemplars_where_traces_are_exported() throws IOException {
        List<String> traces = new ArrayList<>();
        assertThat(exemplars("otlp", traces)).hasSize(2).containsOnly(traces.getFirst());
        assertThat(exemplars("none", traces)).isEmpty();
    }

    @Test
    @Rule(
            id = "O3",
            says = "Metrics and spans are exported by OTLP if the `OTEL_*` variables say so, over the JDK's HTTP"
                    + " client; pending data is sent before the daemon ends.",
            source = "OpenTelemetry specification, SDK environment variables")
    void otel_settings_switch_on_otlp_export_of_metrics_and_spans() throws IOException {
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
                Proxies.NONE,
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
    void a_disabled_sdk_measures_nothing_and_causes_no_errors() {
        try (Telemetry telemetry = Telemetry.start("1", Proxies.NONE, Map.of("otel.sdk.disabled", "true"))) {
            measure(telemetry);
            assertThat(telemetry.scrape().stream()).isEmpty();
        }
    }

    @Test
    @Rule(
            id = "O70",
            says = "Exported metrics and traces go through the proxies that the environment names.",
            source = "golang.org/x/net/http/httpproxy")
    void exports_go_through_the_proxy() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                asked.add(exchange.getRequestURI().toString());
                exchange.sendResponseHeaders(200, -1);
            }
        });
        proxy.start();
        Proxies proxies = Proxies.of(
                Map.of("HTTP_PROXY", "127.0.0.1:" + proxy.getAddress().getPort()));
        Map<String, String> settings = Map.of(
                "otel.traces.exporter", "otlp",
                "otel.metrics.exporter", "otlp",
                "otel.exporter.otlp.endpoint", "http://collector.test:4318");
        try (Telemetry telemetry = Telemetry.start("1", proxies, settings)) {
            telemetry.tracer().spanBuilder("one").startSpan().end();
            telemetry.meter().counterBuilder("one").build().add(1);
        } finally {
            proxy.stop(0);
        }

        assertThat(asked).contains("http://collector.test:4318/v1/traces", "http://collector.test:4318/v1/metrics");
    }

    @Test
    void a_check_of_valid_variables_connects_to_nothing() throws Exception {
        Map<String, String> variables = Map.of(
                "otel.traces.exporter", "otlp",
                "otel.metrics.exporter", "otlp",
                "otel.logs.exporter", "otlp");
        try (ServerSocket collector = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            variables.forEach(System::setProperty);
            System.setProperty("otel.exporter.otlp.endpoint", "http://127.0.0.1:" + collector.getLocalPort());

            Telemetry.check();

            collector.setSoTimeout(1);
            assertThatThrownBy(collector::accept).isInstanceOf(SocketTimeoutException.class);
        } finally {
            variables.keySet().forEach(System::clearProperty);
            System.clearProperty("otel.exporter.otlp.endpoint");
        }
    }

    @Test
    void an_invalid_setting_is_reported_with_its_name() {
        assertThatThrownBy(() -> Telemetry.start("1", Proxies.NONE, Map.of("otel.traces.exporter", "zipkinn")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("otel.traces.exporter")
                .hasMessageContaining("zipkinn");
    }

    @Test
    void grpc_is_refused_at_once() {
        assertThatThrownBy(() -> Telemetry.start(
                        "1",
                        Proxies.NONE,
                        Map.of("otel.traces.exporter", "otlp", "otel.exporter.otlp.protocol", "grpc")))
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

    @ParameterizedTest
    @ValueSource(strings = {"traces", "metrics", "logs"})
    void the_endpoint_of_each_exported_signal_is_checked(String signal) {
        assertThatThrownBy(() -> Telemetry.start(
                        "1",
                        Proxies.NONE,
                        Map.of(
                                "otel." + signal + ".exporter", "otlp",
                                "otel.exporter.otlp." + signal + ".endpoint", "http://user:secret@127.0.0.1:9")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("OTEL_EXPORTER_OTLP_" + signal.toUpperCase(Locale.ROOT) + "_ENDPOINT: found");
    }

    private static Throwable refusal(Map<String, String> settings) {
        return catchThrowable(() -> Telemetry.start("1", Proxies.NONE, settings).close());
    }

    /** One that is not there is named, so it was asked for. Only Prometheus is scraped on our own port. */
    @ParameterizedTest
    @CsvSource({
        "'nonesuch', true",
        "'otlp,nonesuch', true",
        "'nonesuch,otlp', true",
        "'prometheus,nonesuch', true",
        "'otlp, prometheus, nonesuch', true",
        "'prometheus,otlp,nonesuch', true",
        "'otlp,prometheus', false",
        "'prometheus', false",
        "'none', false",
        "'', false"
    })
    void each_exporter_of_metrics_that_is_named_is_used(String exporters, boolean hasOther) {
        Throwable refusal = refusal(
                Map.of("otel.metrics.exporter", exporters, "otel.exporter.otlp.endpoint", "http://127.0.0.1:9"));

        if (hasOther) {
            assertThat(refusal).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("nonesuch");
        } else {
            assertThat(refusal).isNull();
        }
    }

    /** Of each signal, and of all of them at once. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', delimiter = '|', textBlock = """
        a=b                     | true
        a=b,c=d                 | true
        " a = b , c = d "       | true
        Authorization=Basic%20x | true
        a=b=c                   | true
        a=%41%42                | true
        a=b%20c                 | true
        ""                      | true
        a                       | false
        a=b,c                   | false
        a=b;c: d=e              | true
        a b=c                   | false
        a:=c                    | false
        ä=c                     | false
        Host=x                  | false
        a=%0a                   | false
        a=%4                    | false
        a=b,c=%zz               | false
        """)
    void headers_are_names_and_encoded_values(String headers, boolean valid) {
        for (String signal : List.of("", "traces.", "metrics.", "logs.")) {
            for (String exported : signal.isEmpty() ? List.of("traces.", "metrics.", "logs.") : List.of(signal)) {
                String property = "otel.exporter.otlp." + signal + "headers";
                Throwable refusal = refusal(Map.of(
                        "otel." + exported + "exporter",
                        "otlp",
                        "otel.exporter.otlp.endpoint",
                        "http://127.0.0.1:9",
                        property,
                        headers));

                if (valid) {
                    assertThat(refusal).as(property).isNull();
                } else {
                    assertThat(refusal)
                            .as(property)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage("OpenTelemetry: "
                                    + property.toUpperCase(Locale.ROOT).replace('.', '_')
                                    + ": found ***, must be headers such as NAME=VALUE, separated by commas; their"
                                    + " values in percent-encoding");
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://me:secret@h, http://***@h",
        "http://me@x:sec@ret@h, http://***@h",
        "ftp://h, ftp://h",
        "h:1, h:1"
    })
    void no_secret_of_an_endpoint_is_told(String endpoint, String told) {
        assertThat(refusal(Map.of("otel.traces.exporter", "otlp", "otel.exporter.otlp.endpoint", endpoint)))
                .hasMessage("OpenTelemetry: OTEL_EXPORTER_OTLP_ENDPOINT: found \"" + told
                        + "\", must be an http or https address without user");
    }

    /** What is wrong only matters where it is used. */
    @ParameterizedTest
    @CsvSource({
        "traces, otlp, traces, false, true",
        "traces, 'otlp,none-such', traces, false, true",
        "traces, none, traces, false, false",
        "traces, otlp, metrics, false, false",
        "metrics, otlp, metrics, false, true",
        "metrics, 'prometheus, otlp', metrics, false, true",
        "metrics, prometheus, metrics, false, false",
        "logs, otlp, logs, false, true",
        "logs, otlp, traces, false, false",
        "traces, otlp, traces, true, false"
    })
    void variables_of_otlp_are_checked_where_it_exports(
            String signal, String exporters, String wrong, boolean disabled, boolean refused) {
        Throwable refusal = refusal(Map.of(
                "otel." + signal + ".exporter",
                exporters,
                "otel.exporter.otlp.endpoint",
                "http://127.0.0.1:9",
                "otel.exporter.otlp." + wrong + ".endpoint",
                "ftp://127.0.0.1:9",
                "otel.sdk.disabled",
                Boolean.toString(disabled)));

        if (refused) {
            assertThat(refusal)
                    .hasMessageContaining(
                            "OTEL_EXPORTER_OTLP_" + wrong.toUpperCase(Locale.ROOT) + "_ENDPOINT: found \"ftp:");
        } else {
            assertThat(refusal).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "none", "prometheus"})
    void an_endpoint_alone_exports_nothing(String exporters) throws IOException {
        List<String> received = new CopyOnWriteArrayList<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            try (exchange) {
                received.add(exchange.getRequestURI().getPath());
                exchange.sendResponseHeaders(200, -1);
            }
        });
        collector.start();
        try (Telemetry telemetry = Telemetry.start(
                "1",
                Proxies.NONE,
                Map.of(
                        "otel.metrics.exporter",
                        exporters,
                        "otel.exporter.otlp.endpoint",
                        "http://127.0.0.1:" + collector.getAddress().getPort()))) {
            measure(telemetry);
        } finally {
            collector.stop(0);
        }
        assertThat(received).isEmpty();
    }

    @Test
    void a_trace_is_passed_on_as_w3c_says() {
        try (Telemetry telemetry = Telemetry.start("1", Proxies.NONE, Map.of())) {
            assertThat(telemetry.propagator().fields()).contains("traceparent", "tracestate");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        otel.exporter.otlp.timeout     | soon   | Invalid duration property otel.exporter.otlp.timeout=soon. Expected\
         number, found: : For input string: ""
        otel.exporter.otlp.compression | brief  | Unexpected configuration error: Unsupported compressionMethod.\
         Compression method must be "none" or one of: [gzip]
        otel.propagators               | pigeon | Unrecognized value for otel.propagators: pigeon. Make sure the\
         artifact including the propagator is on the classpath.
        """)
    void a_fault_of_a_variable_is_told_once_with_its_cause(String property, String value, String fault) {
        assertThat(refusal(Map.of(
                        "otel.traces.exporter",
                        "otlp",
                        "otel.exporter.otlp.endpoint",
                        "http://127.0.0.1:9",
                        property,
                        value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("OpenTelemetry: " + fault);
    }

    @ParameterizedTest
    @CsvSource({"poolkeeper, ''", "keepers, keepers"})
    void the_service_has_our_name_unless_another_is_set(String expected, String set) {
        try (Telemetry telemetry =
                Telemetry.start("1", Proxies.NONE, set.isEmpty() ? Map.of() : Map.of("otel.service.name", set))) {
            measure(telemetry);

            assertThat(telemetry.scrape().stream()
                            .filter(metric -> metric.getMetadata().getName().equals("target"))
                            .flatMap(metric -> metric.getDataPoints().stream())
                            .map(point -> point.getLabels().get("service_name")))
                    .containsExactly(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:9, true",
        "http://[::1]:9/base, true",
        "https://Collector.test, true",
        "HTTP://127.0.0.1:9, true",
        "Https://collector.test/v1/, true",
        "collector.test:4318, false",
        "127.0.0.1:9, false",
        "//127.0.0.1:9, false",
        "ftp://127.0.0.1:9, false",
        "http://, false",
        "http:///v1, false",
        "http://me@127.0.0.1:9, false",
        "'http://127.0.0.1:9 x', false"
    })
    void an_endpoint_is_an_address_of_http_in_any_case(String endpoint, boolean isOne) {
        Throwable refusal = refusal(Map.of("otel.traces.exporter", "otlp", "otel.exporter.otlp.endpoint", endpoint));

        if (isOne) {
            assertThat(refusal).isNull();
        } else {
            assertThat(refusal)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("OTEL_EXPORTER_OTLP_ENDPOINT: found \"")
                    .hasMessageNotContainingAny("me@");
        }
    }
}
