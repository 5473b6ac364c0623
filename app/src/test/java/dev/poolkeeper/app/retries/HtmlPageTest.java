package dev.poolkeeper.app.retries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.poolkeeper.contract.Rule;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlPageTest {

    @TempDir
    private Path folder;

    @Test
    void the_page_draws_every_policy_in_every_chart_and_names_no_other_place() throws Exception {
        String page = HtmlPage.of(Simulation.run("outage", OptionalLong.empty()));
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
        String page = HtmlPage.of(Simulation.run(
                Scenarios.parse(scenario.getBytes(StandardCharsets.UTF_8), "x", "\"x\""), OptionalLong.empty()));
        assertThat(page).contains("&lt;script&gt;&amp;", "&quot;x&quot;").doesNotContain("<script>");
    }

    @Test
    @Rule(
            id = "W21",
            says = "The page shows its charts in a browser, and no request leaves it.",
            source = "DESIGN section 4")
    void a_browser_draws_the_charts_and_loads_nothing() throws Exception {
        Optional<String> browser = browser();
        assumeTrue(browser.isPresent(), "no chromium on this machine, the page is not opened");
        Path page = folder.resolve("page.html");
        Path netLog = folder.resolve("net.json");
        Files.writeString(page, HtmlPage.of(Simulation.run("overload", OptionalLong.empty())));
        String dom = run(List.of(
                browser.orElseThrow(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--user-data-dir=" + folder.resolve("profile"),
                "--log-net-log=" + netLog,
                "--dump-dom",
                page.toUri().toString()));
        assertThat(dom).contains("<polyline").contains("Load on the backend");
        assertThat(Files.readString(netLog)).doesNotContain("\"initiator\":\"file://");
    }

    private String run(List<String> command) throws IOException, InterruptedException {
        Path out = folder.resolve("dom.html");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(out);
    }

    private static Optional<String> browser() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .flatMap(dir -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(dir, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
