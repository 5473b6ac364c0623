package dev.poolkeeper.app.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.poolkeeper.app.admin.status.StatusHtml;
import dev.poolkeeper.app.admin.status.StatusQuery;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusPageInBrowserTest {

    @TempDir
    private Path folder;

    @Test
    void a_browser_shows_hostile_names_as_text_and_loads_nothing() throws Exception {
        Optional<String> browser = browser();
        assumeTrue(browser.isPresent(), "no chromium on this machine, the page is not opened");
        // given
        Path page = folder.resolve("page.html");
        Path netLog = folder.resolve("net.json");
        Files.writeString(
                page,
                StatusHtml.of(
                        Statuses.with(List.of(Statuses.parked(), Statuses.inStep(1))),
                        new StatusQuery(Optional.of(Statuses.HOSTILE), false, 500)));
        // when
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
        // then
        assertThat(dom)
                .contains("<caption>Watches</caption>", "<th scope=\"col\">", "&lt;script&gt;alert(1)", "lang=\"en\"")
                .doesNotContain("<script", "<img");
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
