package dev.poolkeeper.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Opens pages in a real browser, if one is installed. */
public final class Chromium {

    private Chromium() {}

    /**
     * Opens a page, which must not send any request. Without a browser the calling test is skipped.
     *
     * @param folder for the page, the browser's profile and its log
     * @param options more options for the browser
     * @return the page's DOM after its scripts have run
     */
    public static String open(String html, Path folder, String... options) throws IOException, InterruptedException {
        Path page = folder.resolve("page.html");
        Files.writeString(page, html);
        String dom = visit(page.toUri(), folder, options);
        assertThat(Files.readString(folder.resolve("net.json")))
                .as("requests of the page")
                .doesNotContain("\"initiator\":\"file://");
        return dom;
    }

    /** Opens an address, whose page may load more. Without a browser the calling test is skipped. */
    public static String visit(URI address, Path folder, String... options) throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), "no chromium on this machine, the page is not opened");
        Path out = folder.resolve("dom.html");
        List<String> command = new ArrayList<>(List.of(
                browser.orElseThrow().toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--user-data-dir=" + folder.resolve("profile"),
                "--log-net-log=" + folder.resolve("net.json"),
                "--dump-dom"));
        command.addAll(List.of(options));
        command.add(address.toString());
        Process process = new ProcessBuilder(command)
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
        return Files.readString(out);
    }

    /** Takes a screenshot of an address. Without a browser the calling test is skipped. */
    public static void picture(URI address, Path folder, Path file, String... options)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of(
                "--screenshot=" + file.toAbsolutePath().normalize(),
                "--hide-scrollbars",
                "--force-device-scale-factor=1"));
        String unused = visit(address, folder, all.toArray(String[]::new));
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
