package dev.poolkeeper.app.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.Chromium;
import dev.poolkeeper.app.status.StatusAnswer;
import dev.poolkeeper.app.status.StatusHtml;
import dev.poolkeeper.app.status.StatusQuery;
import dev.poolkeeper.app.status.Statuses;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.PoolStatus;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status page in a real browser. */
class StatusPageInBrowserTest {

    private static final String AXE = "axe-core@4.14.1";
    private static final String SCRIPT = "<script src=\"/status.js\"></script>";
    private static final Pattern VERDICT = Pattern.compile("<pre id=\"verdict\">(.*?)</pre>", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private static String page() {
        StatusQuery query = new StatusQuery(Optional.of(Statuses.HOSTILE), false, 500, Optional.empty());
        return StatusHtml.of(
                        StatusAnswer.to(
                                query,
                                Statuses.with(List.of(Statuses.parked(), Statuses.inStep(1))),
                                (service, pool, node) -> Optional.empty()),
                        query)
                .replace(SCRIPT, "");
    }

    private static AdminServer server(Supplier<List<PoolStatus>> pools) throws IOException {
        return AdminServer.start(
                InetAddress.getLoopbackAddress(),
                0,
                HostNames.USUAL,
                new AdminServer.Content(
                        List::of,
                        List::of,
                        () -> MetricSnapshots.of(),
                        () -> Statuses.with(pools.get()),
                        (service, pool, node) -> Optional.empty()));
    }

    @Test
    void a_browser_shows_hostile_names_as_text_and_loads_nothing() throws Exception {
        assertThat(Chromium.open(page(), folder))
                .contains("<caption>Watches</caption>", "<th scope=\"col\">", "&lt;script&gt;alert(1)", "lang=\"en\"")
                .doesNotContain("<script", "<img");
    }

    @Test
    @Rule(
            id = "O18",
            says = "An open status page refreshes itself, with its own script and nothing else.",
            source = "ours")
    void an_open_page_follows_the_daemon() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (AdminServer server =
                server(() -> List.of(asked.incrementAndGet() == 1 ? Statuses.held() : Statuses.inStep(1)))) {
            URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + "/");

            String dom = Chromium.visit(uri, folder, "--virtual-time-budget=20000");

            assertThat(dom).contains("1 of 1 pools in step").doesNotContain("0 of 1 pools in step");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--blink-settings=preferredColorScheme=1",
                "--blink-settings=preferredColorScheme=0",
                "--window-size=400,900"
            })
    @Rule(
            id = "O19",
            says = "The status page passes axe-core's accessibility checks: light, dark, and 400 pixels wide.",
            source = "WCAG 2.2, as axe-core checks it")
    void the_page_passes_an_accessibility_check(String option) throws Exception {
        Optional<String> axe = axe();
        assumeTrue(axe.isPresent(), "npm cannot install " + AXE + " here");
        String check = """
            <script>%s</script>
            <script>
            const verdict = document.createElement('pre');
            verdict.id = 'verdict';
            axe.run().then(found => {
                verdict.textContent = JSON.stringify({
                    passes: found.passes.length,
                    violations: found.violations.map(
                        one => one.id + ': ' + one.help + ': ' + one.nodes.map(node => node.html).join(' '))
                });
                document.body.appendChild(verdict);
            });
            </script>
            </body>\
            """.formatted(axe.orElseThrow());

        String dom = Chromium.open(page().replace("</body>", check), folder, option, "--virtual-time-budget=30000");

        Matcher match = VERDICT.matcher(dom);
        assertThat(match.find()).as("axe-core ended").isTrue();
        JsonNode verdict = JsonMapper.builder()
                .build()
                .readTree(
                        match.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
        assertThat(verdict.path("passes").asInt()).isGreaterThan(15);
        assertThat(verdict.path("violations")).isEmpty();
    }

    /** Its source, if npm can install it. */
    private Optional<String> axe() throws InterruptedException {
        try {
            Process npm = new ProcessBuilder(
                            "npm", "install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-save", AXE)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!npm.waitFor(120, TimeUnit.SECONDS)) {
                npm.destroyForcibly();
                return Optional.empty();
            }
            Path source = folder.resolve("node_modules/axe-core/axe.min.js");
            return npm.exitValue() == 0 ? Optional.of(Files.readString(source)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // no npm
        }
    }
}
