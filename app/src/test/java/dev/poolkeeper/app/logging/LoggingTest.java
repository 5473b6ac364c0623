package dev.poolkeeper.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.config.DaemonSettings.Format;
import dev.poolkeeper.app.config.LiveSettings.LogLevels;
import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.ServiceName;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;

class LoggingTest {

    @RegisterExtension
    final Logged logged = new Logged(LoggingTest.class, ch.qos.logback.classic.Level.INFO);

    private final LoggerContext context = new LoggerContext();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private void log(Format format, Level level) {
        context.setMDCAdapter(new LogbackMDCAdapter()); // as SLF4J does it for the process's own context
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(context);
        appender.setOutputStream(out);
        Logging.configure(context, format, appender);
        Logging.adjust(context, new LogLevels(level, Map.of()));
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private JsonNode json() throws IOException {
        assertThat(text().lines()).hasSize(1);
        return JsonMapper.builder().build().readTree(text());
    }

    @Test
    @Rule(
            id = "O7",
            says = "A log entry in JSON is one object on one line, with Service, load balancer, pool, correlation id"
                    + " and trace as separate fields.",
            source = "")
    void in_json_key_value_pairs_are_fields() throws IOException {
        // given
        log(Format.JSON, Level.INFO);
        SpanContext span = SpanContext.create(
                "0af7651916cd43dd8448eb211c80319c",
                "b7ad6b7169203331",
                TraceFlags.getSampled(),
                TraceState.getDefault());
        // when
        try (Scope scope = Span.wrap(span).makeCurrent()) {
            context.getLogger("dev.poolkeeper.core.engine.PoolUpdate")
                    .atWarn()
                    .addKeyValue("service", new ServiceName("shop", "web"))
                    .addKeyValue("attempt", 2)
                    .addKeyValue("level", "a name that is taken")
                    .addKeyValue("failure", "two\nlines and a \"quote\"")
                    .setCause(new IllegalStateException("boom"))
                    .log("Gave up on an update");
        }
        // then
        JsonNode entry = json();
        assertThat(entry.path("level").asText()).isEqualTo("WARN");
        assertThat(entry.path("message").asText()).isEqualTo("Gave up on an update");
        assertThat(entry.path("service").asText()).isEqualTo("shop/web");
        assertThat(entry.path("attempt").isInt()).isTrue();
        assertThat(entry.path("_level").asText()).isEqualTo("a name that is taken");
        assertThat(entry.path("failure").asText()).isEqualTo("two\nlines and a \"quote\"");
        assertThat(entry.path("stackTrace").asText()).contains("IllegalStateException: boom", "LoggingTest");
        assertThat(entry.path("trace_id").asText()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(entry.path("span_id").asText()).isEqualTo("b7ad6b7169203331");
    }

    @Test
    void as_text_key_value_pairs_follow_the_message() {
        log(Format.TEXT, Level.INFO);
        context.getLogger("dev.poolkeeper.core.engine.PoolUpdate")
                .atInfo()
                .addKeyValue("service", new ServiceName("shop", "web"))
                .log("Requeued a failed update");
        assertThat(text())
                .contains("INFO  PoolUpdate Requeued a failed update service=\"shop/web\"")
                .endsWith("\n");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "X22",
            says = "A log entry is one line, whatever others wrote into its values; in text, values are quoted, with"
                    + " quotes in them escaped.",
            source = "ours")
    void an_entry_cannot_be_forged(Format format) {
        log(format, Level.INFO);
        context.getLogger("dev.poolkeeper.core.engine.PoolUpdate")
                .atInfo()
                .addKeyValue("one", HostileText.SHORT)
                .addKeyValue("two", HostileText.ALL)
                .addKeyValue("half", "a\ud83d")
                .log("Message " + HostileText.SHORT);

        HostileText.assertSafe(out.toByteArray());
        assertThat(text().lines()).hasSize(1);
    }

    @Test
    void as_text_a_quote_in_a_value_does_not_end_it() {
        log(Format.TEXT, Level.INFO);
        context.getLogger("dev.poolkeeper.A")
                .atInfo()
                .addKeyValue("code", "x\" ready=\"true")
                .addKeyValue("path", "C:\\new\n")
                .log("Message");

        assertThat(text()).endsWith(" Message code=\"x\\\" ready=\\\"true\" path=\"C:\\\\new\\n\"\n");
    }

    @ParameterizedTest
    @EnumSource
    void a_stack_trace_is_safe_to_print(Format format) {
        log(format, Level.INFO);
        context.getLogger("dev.poolkeeper.A")
                .atError()
                .setCause(new IOException("x\u001b[31m\u009b\u202e"))
                .log("Failed");

        HostileText.assertSafe(out.toByteArray());
        assertThat(text()).contains("IOException", "LoggingTest");
    }

    @Test
    void the_level_applies_to_our_loggers_and_libraries_log_warnings_only() {
        log(Format.TEXT, Level.DEBUG);
        context.getLogger("dev.poolkeeper.k8s.watch.KindWatch").debug("ours");
        context.getLogger("io.fabric8.kubernetes.client").info("theirs");
        context.getLogger("io.fabric8.kubernetes.client").warn("their trouble");
        assertThat(text()).contains("ours", "their trouble").doesNotContain("theirs\n", "theirs ");
    }

    @Test
    void libraries_whose_failures_we_report_are_silent_above_debug() {
        log(Format.TEXT, Level.INFO);
        context.getLogger("com.azure.core.http.jdk.httpclient.JdkHttpClient")
                .error("refused", new IOException("refused"));
        context.getLogger("com.azure.identity.ClientSecretCredential").error("no token");
        context.getLogger("com.microsoft.aad.msal4j.ConfidentialClientApplication")
                .warn("no token");
        context.getLogger("reactor.core.publisher.Operators")
                .error("Operator called default onErrorDropped", new CancellationException("Request cancelled"));
        context.getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils")
                .warn("The client is using resource type 'x' with unstable version 'v1beta1'");
        assertThat(text()).isEmpty();
    }

    @Test
    void libraries_whose_failures_we_report_log_at_debug() {
        log(Format.TEXT, Level.DEBUG);
        context.getLogger("com.azure.identity.ClientSecretCredential").error("no token");
        assertThat(text()).contains("no token");
    }

    @Test
    void at_error_no_warnings_are_logged() {
        log(Format.TEXT, Level.ERROR);
        context.getLogger("dev.poolkeeper.k8s.watch.KindWatch").warn("ours");
        context.getLogger("io.fabric8").warn("theirs");
        assertThat(text()).isEmpty();
    }

    @Test
    @Rule(
            id = "O10",
            says = "A configured logger level takes effect immediately, until it is removed from the configuration;"
                    + " all other loggers follow `logging.level`, or `run --log-level`.",
            source = "ours")
    void a_logger_may_temporarily_have_its_own_level() {
        log(Format.TEXT, Level.INFO);
        Logging.adjust(
                context,
                new LogLevels(Level.WARN, Map.of("dev.poolkeeper.core", Level.DEBUG, "io.fabric8", Level.INFO)));
        context.getLogger("dev.poolkeeper.core.engine.Lane").debug("one");
        context.getLogger("dev.poolkeeper.k8s.Watch").info("two");
        context.getLogger("io.fabric8.Client").info("three");

        Logging.adjust(context, LogLevels.DEFAULT);
        context.getLogger("dev.poolkeeper.core.engine.Lane").debug("four");
        context.getLogger("dev.poolkeeper.k8s.Watch").info("five");
        context.getLogger("io.fabric8.Client").info("six");

        assertThat(text()).contains("one", "three", "five").doesNotContain("two", "four", "six");
    }

    @Test
    void levels_do_not_depend_on_those_before() {
        List<LogLevels> all = List.of(
                new LogLevels(Level.INFO, Map.of()),
                new LogLevels(Level.DEBUG, Map.of()),
                new LogLevels(Level.ERROR, Map.of()),
                new LogLevels(Level.INFO, Map.of("com.azure", Level.WARN, "com.microsoft.aad", Level.INFO)),
                new LogLevels(Level.WARN, Map.of("dev.poolkeeper.core", Level.TRACE, "io.fabric8", Level.INFO)));
        for (LogLevels before : all) {
            for (LogLevels now : all) {
                LoggerContext adjusted = new LoggerContext();
                Logging.adjust(adjusted, before);
                Logging.adjust(adjusted, now);
                LoggerContext fresh = new LoggerContext();
                Logging.adjust(fresh, now);
                assertThat(effective(adjusted)).as("%s after %s", now, before).isEqualTo(effective(fresh));
            }
        }
    }

    private static List<Integer> effective(LoggerContext context) {
        return Stream.of(
                        "dev.poolkeeper.core.engine.Lane",
                        "dev.poolkeeper.app.Main",
                        "com.azure.identity.ClientSecretCredential",
                        "com.microsoft.aad.msal4j.ConfidentialClientApplication",
                        "reactor.core.publisher.Operators",
                        "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils",
                        "io.fabric8.kubernetes.client.Client",
                        "com.google.inject")
                .map(name -> context.getLogger(name).getEffectiveLevel().levelInt)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"time", "level", "logger", "thread", "message", "trace_id", "span_id", "stackTrace"})
    void in_json_no_pair_takes_the_name_of_a_field(String name) throws IOException {
        log(Format.JSON, Level.INFO);
        context.getLogger("dev.poolkeeper.core")
                .atInfo()
                .addKeyValue(name, "ours")
                .addKeyValue("nothing", (Object) null)
                .log("m");
        assertThat(json().path("_" + name).asText()).isEqualTo("ours");
        assertThat(json().path("nothing").isNull()).isTrue();
    }

    private static String encoded(LogLines lines, Instant at, Level level, String logger, Object... pairs) {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        LoggingEvent event = new LoggingEvent();
        event.setLoggerContext(context);
        event.setInstant(at);
        event.setLevel(ch.qos.logback.classic.Level.convertAnSLF4JLevel(level));
        event.setLoggerName(logger);
        event.setThreadName("lane-7");
        event.setMessage("Said {}");
        event.setArgumentArray(new Object[] {"once"});
        for (int i = 0; i < pairs.length; i += 2) {
            event.addKeyValuePair(new KeyValuePair((String) pairs[i], pairs[i + 1]));
        }
        return new String(lines.encode(event), StandardCharsets.UTF_8);
    }

    @Test
    void in_json_each_kind_of_value_and_each_field_is_written() {
        assertThat(encoded(
                        new JsonLines(),
                        Instant.parse("2026-01-01T12:00:00.050Z"),
                        Level.WARN,
                        "dev.poolkeeper.core.Lane",
                        "whole",
                        1,
                        "long",
                        2_000_000_000_000L,
                        "half",
                        0.5,
                        "yes",
                        true,
                        "no",
                        false,
                        "none",
                        null,
                        "wait",
                        Duration.ofMillis(1_500),
                        "word",
                        Level.INFO,
                        "empty",
                        ""))
                .isEqualTo("{\"time\":\"2026-01-01T12:00:00.050Z\",\"level\":\"WARN\","
                        + "\"logger\":\"dev.poolkeeper.core.Lane\",\"thread\":\"lane-7\",\"message\":\"Said once\","
                        + "\"whole\":1,\"long\":2000000000000,\"half\":0.5,\"yes\":true,\"no\":false,\"none\":null,"
                        + "\"wait\":\"PT1.5S\",\"word\":\"INFO\",\"empty\":\"\"}\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        a a a            | a _a __a
        level _level     | _level __level
        _time time time  | _time __time ___time
        Level trace-id   | Level trace-id
        """)
    void in_json_no_name_occurs_twice(String names, String written) {
        Object[] pairs = Stream.of(names.split(" "))
                .flatMap(name -> Stream.of(name, "x"))
                .toArray();

        String line = encoded(new JsonLines(), Instant.EPOCH, Level.INFO, "a", pairs);

        assertThat(Pattern.compile("\"([^\"]+)\":\"x\"")
                        .matcher(line)
                        .results()
                        .map(name -> name.group(1))
                        .collect(Collectors.joining(" ")))
                .isEqualTo(written);
    }

    @Test
    void in_json_a_trace_that_is_not_exported_is_named_too() throws IOException {
        log(Format.JSON, Level.INFO);
        SpanContext span = SpanContext.create(
                "0af7651916cd43dd8448eb211c80319c",
                "b7ad6b7169203331",
                TraceFlags.getDefault(),
                TraceState.getDefault());
        try (Scope scope = Span.wrap(span).makeCurrent()) {
            context.getLogger("dev.poolkeeper.A").info("m");
        }
        assertThat(json().path("trace_id").asText()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        2026-01-01T12:00:00.050Z    | ERROR | dev.poolkeeper.Lane | 2026-01-01T12:00:00.050Z ERROR Lane Said once
        2026-07-01T23:59:59.999999Z | WARN  | Lane                | 2026-07-01T23:59:59.999Z WARN  Lane Said once
        2026-12-31T00:00:00Z        | INFO  | a.b.C$D             | 2026-12-31T00:00:00.000Z INFO  C$D Said once
        0999-01-01T00:00:00Z        | DEBUG | a.                  | 0999-01-01T00:00:00.000Z DEBUG  Said once
        """)
    void as_text_a_line_begins_with_time_level_and_logger(Instant at, Level level, String logger, String line) {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        try {
            assertThat(encoded(new TextLines(), at, level, logger, "none", null, "two", 2))
                    .isEqualTo(line + " none=\"null\" two=\"2\"\n");
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void silence_ends_when_it_is_closed() {
        assertThat(logged.list).isEmpty();
        org.slf4j.Logger logger = LoggerFactory.getLogger(LoggingTest.class);
        try (Logging.Silence unused = Logging.silence()) {
            logger.error("during");
        }
        logger.error("after");

        assertThat(logged.list).extracting(ILoggingEvent::getMessage).containsExactly("after");
    }
}
