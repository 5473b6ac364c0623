package dev.poolkeeper.lab.retries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.poolkeeper.app.Chromium;
import dev.poolkeeper.contract.Rule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HtmlPageTest {

    @TempDir
    private Path folder;

    @Test
    void the_page_draws_every_policy_in_every_chart_and_has_no_external_references() throws Exception {
        String page = HtmlPage.of(RetrySimulation.run("outage", OptionalLong.empty()));
        assertThat(page.split("<polyline", -1)).hasSize(1 + 5 * 5);
        assertThat(page).doesNotContain("<script", "http:", "https:", "url(", "NaN", "src=\"", "<link");
        assertThat(page).contains("Content-Security-Policy", "three-retries", "EFFECTIVE_SUCCESS");
    }

    @Test
    void twelve_lines_look_different() {
        String chart = SvgChart.overTime(
                "x",
                60,
                IntStream.range(0, 12)
                        .mapToObj(i -> new SvgChart.Line("p" + i, new double[] {i, 2}))
                        .toList());
        assertThat(Pattern.compile("<polyline fill=\"none\" stroke-width=\"2\" (.*?) points")
                        .matcher(chart)
                        .results()
                        .map(found -> found.group(1)))
                .hasSize(12)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"180, 50", "60, 20", "300, 100", "1, 0.2", "7, 2", "0, 1"})
    void ticks_are_at_round_values(double whole, double step) {
        assertThat(SvgChart.step(whole)).isCloseTo(step, within(1e-12));
    }

    @Test
    void a_page_shows_many_seeds_beside_the_one() throws Exception {
        String page = HtmlPage.of(RetrySimulation.run("linkerd-demo", OptionalLong.empty()));
        assertThat(page).contains("Median over the seeds 1 to 500", "prefers-color-scheme: dark", "data-name=");
    }

    @Test
    void names_are_escaped_and_shown_in_full() throws Exception {
        String scenario = """
            duration: 10s
            workload: {rps: 10}
            backend: {latency: {p50: 5ms, p99: 20ms}}
            policies: [{name: "<script>&"}]
            """;
        String page = HtmlPage.of(RetrySimulation.run(
                Scenarios.parse(scenario.getBytes(StandardCharsets.UTF_8), "x", "\"x\""), OptionalLong.empty()));
        assertThat(page).contains("&lt;script&gt;&amp;", "&quot;x&quot;").doesNotContain("<script>");
    }

    @Test
    @Rule(
            id = "W22",
            says = "No table of a page needs horizontal scrolling, from a width of 400 pixels.",
            source = "ours")
    void no_table_needs_scrolling_sideways() throws Exception {
        String page = HtmlPage.escape(HtmlPage.of(RetrySimulation.run("linkerd-demo", OptionalLong.empty())));
        StringBuilder frames = new StringBuilder("<!DOCTYPE html><body>");
        for (int width : List.of(400, 700, 1_000, 1_400)) {
            frames.append("<iframe style=\"border: 0\" width=\"%d\" height=\"900\" srcdoc=\"%s\"></iframe>%n"
                    .formatted(width, page));
        }
        String measured = """
            <script>const excess = page => page.scrollWidth - page.clientWidth;
            onload = () => document.title = Array.from(document.querySelectorAll('iframe'),
                each => each.width + ': ' + excess(each.contentDocument.documentElement)).join(', ')</script>
            """;
        String dom = Chromium.open(frames + measured, folder);
        assertThat(dom).contains("<title>400: 0, 700: 0, 1000: 0, 1400: 0<");
    }

    @Test
    @Rule(id = "W21", says = "The page shows its charts in a browser, and sends no request.", source = "ours")
    void a_browser_draws_the_charts_and_loads_nothing() throws Exception {
        String dom = Chromium.open(HtmlPage.of(RetrySimulation.run("overload", OptionalLong.empty())), folder);
        assertThat(dom).contains("<polyline").contains("Load on the backend");
    }

    @Test
    void text_of_others_is_safe_to_show() {
        assertThat(HtmlPage.escape("a\u202eb\u001bc\u009bd\n<e>")).isEqualTo("a?b?c?d &lt;e&gt;");
    }
}
