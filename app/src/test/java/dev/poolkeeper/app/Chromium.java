package dev.poolkeeper.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Opens pages in a real browser, where there is one. */
public final class Chromium {

    private Chromium() {}

    /**
     * Opens a page, which must not ask for anything. Without a browser the calling test is skipped.
     *
     * @param folder for the page, the browser's profile and its log
     * @return the page as the browser holds it after its scripts ran
     */
    public static String open(String html, Path folder) throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), "no chromium on this machine, the page is not opened");
        Path page = folder.resolve("page.html");
        Path out = folder.resolve("dom.html");
        Path netLog = folder.resolve("net.json");
        Files.writeString(page, html);
        Process process = new ProcessBuilder(
                        browser.orElseThrow().toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--no-first-run",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--log-net-log=" + netLog,
                        "--dump-dom",
                        page.toUri().toString())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("the browser ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(netLog)).as("requests of the page").doesNotContain("\"initiator\":\"file://");
        return Files.readString(out);
    }

    private static Optional<Path> browser() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .flatMap(dir -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(dir, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
