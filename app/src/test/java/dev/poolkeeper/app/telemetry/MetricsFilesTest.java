package dev.poolkeeper.app.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.contract.Rule;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page, the dashboard and the alert rules use only existing metrics. */
class MetricsFilesTest {

    private static final Path DOC = Path.of("../docs/metrics.md");
    private static final Path TROUBLES = Path.of("../docs/troubles.md");
    private static final Path DASHBOARD = Path.of("../deploy/helm/poolkeeper/dashboards/poolkeeper.json");
    private static final Path RULES = Path.of("../deploy/helm/poolkeeper/rules/poolkeeper-alerts.yaml");
    private static final Path RULES_TEST = Path.of("src/test/alerts/poolkeeper-alerts-test.yaml");
    private static final Pattern NAME = Pattern.compile("\\b(?:poolkeeper|cloudprovider|jvm)_[a-z_]+");
    private static final String BEGIN = "<!-- metrics -->\n";
    private static final String END = "<!-- end of metrics -->\n";

    @TempDir
    private Path folder;

    private static String table() {
        return Arrays.stream(Metric.values())
                .map(metric -> "| `%s` | %s | %s | %s | %s |\n"
                        .formatted(
                                metric.prometheusName(),
                                metric.kind().name().toLowerCase(Locale.ROOT),
                                metric.unit().equals("By")
                                        ? "bytes"
                                        : metric.unit().replaceAll("[{}]", ""),
                                metric.labels().stream()
                                        .map(label -> "`" + label + "`")
                                        .collect(Collectors.joining(", ")),
                                metric.meaning()))
                .collect(Collectors.joining(
                        "", "| Metric | Kind | Unit | Labels | Meaning |\n|---|---|---|---|---|\n", ""));
    }

    /** Every name by which Prometheus knows a series. */
    private static Set<String> series() {
        Set<String> names = new TreeSet<>();
        for (Metric metric : Metric.values()) {
            names.add(metric.prometheusName());
            if (metric.kind() == Metric.Kind.HISTOGRAM) {
                Stream.of("_bucket", "_sum", "_count").forEach(end -> names.add(metric.prometheusName() + end));
            }
        }
        return names;
    }

    private static Set<String> namesIn(List<String> expressions) {
        Set<String> labels = Arrays.stream(Metric.values())
                .flatMap(metric -> metric.labels().stream())
                .collect(Collectors.toSet());
        Set<String> names = new TreeSet<>();
        for (String expression : expressions) {
            Matcher matcher = NAME.matcher(expression);
            while (matcher.find()) {
                if (!labels.contains(matcher.group())) {
                    names.add(matcher.group());
                }
            }
        }
        return names;
    }

    @Test
    void the_page_lists_every_metric_as_registered() throws IOException {
        String page = Files.readString(DOC);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        String expected = page.substring(0, begin) + table() + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(DOC, expected);
        }
        assertThat(DOC)
                .as("docs/metrics.md, made by: ./mvnw verify -Ddocs.update=true")
                .content()
                .isEqualTo(expected);
    }

    @Test
    void the_page_lists_every_span() throws IOException {
        assertThat(Files.readString(DOC)).contains("`tick`", "`update pool`");
        for (var purpose : ArmCall.Purpose.values()) {
            assertThat(Files.readString(DOC)).contains("`ARM " + ArmTelemetry.lower(purpose) + "`");
        }
    }

    @Test
    void the_pages_text_names_only_existing_metrics() throws IOException {
        Set<String> known = series();
        known.addAll(Set.of("poolkeeper_arm_", "cloudprovider_azure_api_", "poolkeeper_tick_duration"));
        known.add("cloudprovider_azure_op_failure_count");
        assertThat(known).containsAll(namesIn(Files.readAllLines(DOC)));
    }

    @Test
    void the_dashboard_shows_only_existing_metrics() throws IOException {
        JsonNode dashboard = JsonMapper.builder().build().readTree(Files.readString(DASHBOARD));
        List<String> expressions = dashboard.findValuesAsText("expr");
        assertThat(expressions).hasSizeGreaterThan(20);
        assertThat(series()).containsAll(namesIn(expressions));
        assertThat(dashboard.findValues("id")).doesNotHaveDuplicates();
    }

    @Test
    void each_alert_uses_existing_metrics_and_names_a_remedy() throws IOException {
        JsonNode rules = new YAMLMapper().readTree(Files.readString(RULES)).at("/groups/0/rules");
        List<String> expressions = new ArrayList<>();
        for (JsonNode rule : rules) {
            expressions.add(rule.path("expr").asText());
            assertThat(rule.at("/annotations/summary").asText()).isNotBlank();
            assertThat(rule.at("/annotations/runbook").asText()).isNotBlank();
            String alert = rule.path("alert").asText();
            assertThat(rule.at("/annotations/runbook_url").asText())
                    .isEqualTo("troubles.md#" + alert.toLowerCase(Locale.ROOT));
            assertThat(TROUBLES).content().contains("\n### " + alert + "\n");
            assertThat(rule.at("/labels/severity").asText()).isIn("critical", "warning", "info");
        }
        assertThat(expressions)
                .hasSizeGreaterThan(10)
                .allSatisfy(
                        expression -> assertThat(namesIn(List.of(expression))).isNotEmpty());
        assertThat(series()).containsAll(namesIn(expressions));
    }

    @Test
    @Rule(
            id = "O8",
            says = "The shipped alert rules pass promtool: each is well-formed, and those about leader, ticks, pools,"
                    + " outages, freshness, lock, budget and brake fire when they should and not before.",
            source = "Prometheus, unit testing for rules")
    void the_alert_rules_pass_promtool() throws Exception {
        Optional<String> promtool = promtool();
        boolean isCi = System.getenv("CI") != null; // .ci/run installs it there
        assumeTrue(promtool.isPresent() || isCi, "no promtool on this machine, the alert rules are not tried");
        run(List.of(
                promtool.orElseThrow(), "check", "rules", RULES.toAbsolutePath().toString()));
        run(List.of(
                promtool.orElseThrow(),
                "test",
                "rules",
                RULES_TEST.toAbsolutePath().toString()));
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        Path out = folder.resolve("promtool.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as(Files.readString(out, StandardCharsets.UTF_8))
                .isZero();
    }

    private static Optional<String> promtool() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(dir -> Path.of(dir, "promtool"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
