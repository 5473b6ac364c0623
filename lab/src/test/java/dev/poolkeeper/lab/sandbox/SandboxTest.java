package dev.poolkeeper.lab.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.app.daemon.Await;
import dev.poolkeeper.app.daemon.DaemonProcess;
import dev.poolkeeper.app.daemon.StatusPages;
import dev.poolkeeper.lab.Main;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run --sandbox}, as a user starts it. */
class SandboxTest {

    private static final int SIGTERM = 128 + 15;
    private static final Pattern KUBECONFIG = Pattern.compile("kubectl --kubeconfig (\\S+) ");

    @TempDir
    private Path folder;

    private DaemonProcess sandbox;

    /** What the environment says about a real daemon's cloud is not read. */
    @BeforeEach
    void start() throws Exception {
        Map<String, String> environment =
                Map.of("HTTPS_PROXY", "socks5://proxy", "POD_NAMESPACE", "Bad", "AZURE_CLIENT_ID", "<client-id>");
        sandbox = DaemonProcess.start(Main.class, environment, folder, "sandbox", "--sandbox");
    }

    @AfterEach
    void stop() {
        sandbox.close();
    }

    private void awaitUpdate() {
        StatusPages pages = sandbox.pages();
        Await.until(
                "a pool is kept",
                sandbox::log,
                () -> pages.status().path("pools").valueStream().anyMatch(SandboxTest::isKept));
    }

    private static boolean isKept(JsonNode pool) {
        return !pool.path("wanted").isEmpty()
                && pool.path("inStep").asBoolean()
                && pool.at("/known/lastCall").isObject();
    }

    @Test
    void the_sandbox_prints_its_addresses_updates_pools_and_cleans_up() throws Exception {
        awaitUpdate();
        assertThat(sandbox.out())
                .containsPattern("status page: +http://127\\.0\\.0\\.1:\\d+/statusz")
                .containsPattern("API server: +https://127\\.0\\.0\\.1:\\d+ ")
                .containsPattern("ARM: +https://localhost:\\d+ +\\(CA \\S+/arm-ca\\.pem\\)")
                .containsPattern("configuration: +\\S+/poolkeeper\\.yaml");
        assertThat(sandboxFolders()).hasSize(1);
        if (isKubectlInstalled()) {
            Await.until(
                    "kubectl shows the event",
                    sandbox::log,
                    () -> kubectl("describe", "services", "--all-namespaces")
                            .contains("LoadBalancerBackendPoolUpdated"));
        }

        sandbox.terminate();

        assertThat(sandbox.exitCode()).as(sandbox.log()).isEqualTo(SIGTERM);
        assertThat(sandboxFolders()).isEmpty();
    }

    private static boolean isKubectlInstalled() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "kubectl")));
    }

    private List<Path> sandboxFolders() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("poolkeeper-sandbox-"))
                    .toList();
        }
    }

    private String kubectl(String... arguments) throws Exception {
        Matcher kubeconfig = KUBECONFIG.matcher(sandbox.out());
        assertThat(kubeconfig.find()).isTrue();
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of("kubectl", "--kubeconfig", kubeconfig.group(1)), Stream.of(arguments))
                                .toList())
                .redirectErrorStream(true);
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
