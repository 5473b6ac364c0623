package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.cloud.FaultRule;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code kubectl describe service} shows of a daemon's Events. */
class DescribeServiceTest {

    private static final int FAILURES = 10;

    @TempDir
    private Path folder;

    private TestWorld world;

    @BeforeEach
    void start() throws IOException {
        world = new TestWorld(folder);
        world.service("web", 1, 2);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    @Rule(
            id = "O25",
            says = "Equal failures are one row of kubectl describe service, with a count: their notes have no ids and"
                    + " no times.",
            source = "ours")
    void ten_equal_failures_are_shown_as_one_row() throws Exception {
        assumeTrue(isInstalled("kubectl"), "no kubectl on this machine");
        Path file = world.configuration("one", "loadBalancerBackendPoolUpdateMaxRetries: 0");
        try (DaemonInProcess daemon = DaemonInProcess.start(file)) {
            world.awaitPool("web", 1, 2);
            world.arm.faults().add(FaultRule.always(409).forMethod("PUT").code("AnotherOperationInProgress"));
            for (int failure = 1; failure <= FAILURES; failure++) {
                int expected = failure;
                world.endpoints("web", 1, 3 + failure % 2);
                Await.until(
                        failure + " updates failed",
                        daemon::logText,
                        () -> daemon.pages().metric("cloudprovider_azure_op_failure_count_total") == expected);
            }
            Await.until("they are counted", this::described, () -> described().contains("(x" + FAILURES + " over "));

            assertThat(described().lines().filter(line -> line.contains("PoolUpdateFailed")))
                    .as(described())
                    .singleElement()
                    .asString()
                    .containsPattern("Warning +LoadBalancerBackendPoolUpdateFailed +\\S+ \\(x10 over \\S+\\) +\\S+ +"
                            + "Backend pool update failed after 0 retries: HTTP 409 AnotherOperationInProgress: ");
        }
    }

    private String described() {
        ProcessBuilder builder = new ProcessBuilder(
                        "kubectl",
                        "--kubeconfig",
                        folder.resolve("one.kubeconfig").toString(),
                        "describe",
                        "service",
                        "--namespace",
                        TestWorld.NAMESPACE,
                        "web")
                .redirectErrorStream(true);
        builder.environment().put("HOME", folder.toString());
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }
}
