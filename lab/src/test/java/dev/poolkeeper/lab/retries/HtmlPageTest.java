package dev.poolkeeper.lab.retries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.Chromium;
import dev.poolkeeper.contract.Rule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlPageTest {

    @TempDir
    private Path folder;

    @Test
    void the_page_draws_every_policy_in_every_chart_and_names_no_other_place() throws Exception {
        String page = HtmlPage.of(RetrySimulation.run("outage", OptionalLong.empty()));
        assertThat(page.split("<polyline", -1)).hasSize(1 + 4 * 5);
        assertThat(page).doesNotContain("<script", "http:", "https:", "url(", "NaN", "src=\"", "<link");
        assertThat(page).contains("Content-Security-Policy", "three-retries", "EFFECTIVE_SUCCESS");
    }

    @Test
    void names_are_shown_as_they_are() throws Exception {
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
    @Rule(id = "W21", says = "The page shows its charts in a browser, and no request leaves it.", source = "ours")
    void a_browser_draws_the_charts_and_loads_nothing() throws Exception {
        String dom = Chromium.open(HtmlPage.of(RetrySimulation.run("overload", OptionalLong.empty())), folder);
        assertThat(dom).contains("<polyline").contains("Load on the backend");
    }
}
