package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.emulators.kube.RecordingFeed;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.lab.replay.BundledReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** {@code record} with an emulated cluster and subscription. */
class RecordCommandTest {

    @TempDir
    private Path folder;

    private ArmEmulator arm;
    private KubeEmulator kube;
    private Path config;

    @BeforeEach
    void start() throws Exception {
        arm = ArmEmulator.start(BundledReplay.inventory(), Faults.NONE, ArmSettings.DEFAULT);
        kube = KubeEmulator.start();
        try (RecordingFeed feed =
                new RecordingFeed(kube.api(), BundledReplay.recording().bytes())) {
            while (feed.nextOffsetMillis() >= 0) {
                feed.playNext();
            }
        }
        arm.writeCaCertificate(folder.resolve("ca.pem"));
        Files.writeString(folder.resolve("kubeconfig"), kube.kubeconfig());
        config = Files.writeString(folder.resolve("poolkeeper.yaml"), """
            resourceManagerEndpoint: %1$s
            authorityHost: %1$s
            caFile: ca.pem
            subscriptionId: %2$s
            resourceGroup: %3$s
            tenantId: 00000000-0000-0000-0000-0000000000aa
            aadClientId: 00000000-0000-0000-0000-0000000000bb
            aadClientSecret: no-secret-to-anybody
            kubeconfig: kubeconfig
            """.formatted(
                        arm.baseUri(), arm.subscription(), arm.resourceGroup()));
    }

    @AfterEach
    void stop() {
        kube.close();
        arm.close();
    }

    private CommandLineRun record(String... more) {
        String[] arguments = new String[7 + more.length];
        System.arraycopy(more, 0, arguments, 7, more.length);
        arguments[0] = "record";
        arguments[1] = "--config";
        arguments[2] = config.toString();
        arguments[3] = "--recording";
        arguments[4] = folder.resolve("my.jsonl").toString();
        arguments[5] = "--inventory";
        arguments[6] = folder.resolve("my.inventory.json").toString();
        return LabRun.of(arguments);
    }

    @Test
    @Rule(
            id = "O20",
            says = "`record` only reads, and its recording can be replayed: the pools then want what the cluster"
                    + " wanted.",
            source = "ours")
    void a_recording_can_be_replayed() throws Exception {
        CommandLineRun recorded = record("--seconds", "0");
        assertThat(recorded.err()).isEmpty();
        assertThat(recorded.exitCode()).isZero();
        assertThat(recorded.out()).contains("my.inventory.json: ", " pools", "my.jsonl: ", " events");
        assertThat(arm.requests()).noneMatch(request -> request.isWrite());
        assertThat(kube.requests()).allMatch(request -> request.verb().matches("list|watch|get"));

        assertThat(desired(folder.resolve("my.jsonl"), folder.resolve("my.inventory.json")))
                .isEqualTo(desired(
                        Path.of("../recordings/comings-and-goings.jsonl.gz"),
                        Path.of("../recordings/comings-and-goings.inventory.json")))
                .isNotEmpty();
    }

    @Test
    void a_failure_is_one_line_without_those_that_libraries_log() throws Exception {
        Files.writeString(
                config,
                Files.readString(config).replaceFirst("authorityHost: .*", "authorityHost: https://127.0.0.1:1"));
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        root.addAppender(log);
        try {
            assertThat(record("--seconds", "0").errLines())
                    .singleElement()
                    .asString()
                    .contains("the load balancers cannot be listed");
        } finally {
            root.detachAppender(log);
        }

        assertThat(log.list).isEmpty();
    }

    /** The wanted addresses of each pool at the end of a replay. */
    private Map<String, JsonNode> desired(Path recording, Path inventory) throws IOException {
        Path report = folder.resolve("report.json");
        LabRun.of("replay", recording.toString(), "--inventory", inventory.toString(), "--report", report.toString());
        Map<String, JsonNode> desired = new TreeMap<>();
        for (JsonNode pool :
                JsonMapper.builder().build().readTree(report.toFile()).path("pools")) {
            desired.put(pool.path("pool").asText(), pool.path("desired"));
        }
        return desired;
    }

    @Test
    void an_unreachable_cluster_is_reported_and_no_file_is_left_behind() {
        arm.close();

        CommandLineRun recorded = record("--seconds", "0");

        assertThat(recorded.exitCode()).isEqualTo(1);
        assertThat(recorded.errLines()).hasSize(1).first().asString().contains("the load balancers cannot be listed");
        assertThat(folder.resolve("my.inventory.json")).doesNotExist();
        assertThat(folder.resolve("my.jsonl")).doesNotExist();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_full_disk_ends_the_recording_with_its_cause() {
        CommandLineRun recorded = LabRun.of(
                "record",
                "--config",
                config.toString(),
                "--recording",
                "/dev/full",
                "--inventory",
                folder.resolve("my.inventory.json").toString());

        assertThat(recorded.exitCode()).isEqualTo(1);
        assertThat(recorded.errLines())
                .singleElement()
                .asString()
                .contains("/dev/full is incomplete: No space left on device");
    }

    private CommandLineRun recordWith(String kubeconfig) throws Exception {
        Files.writeString(folder.resolve("kubeconfig"), kubeconfig);
        return record("--seconds", "0");
    }

    private static final String ELSEWHERE = """
        current-context: x
        contexts: [{name: x, context: {cluster: c, user: u}}]
        clusters: [{name: c, cluster: {server: "%s"}}]
        users: [{name: u, user: {%s}}]
        """;

    @Test
    @Rule(
            id = "O71",
            says = "`record` ends with one line, the cause, and exit code 1 if the cluster cannot be read for some"
                    + " seconds: the name, TLS, the credential or its plugin.",
            source = "ours")
    void a_cluster_that_cannot_be_read_is_reported() throws Exception {
        Map<String, String> causes = new TreeMap<>(Map.of(
                ELSEWHERE.formatted("http://127.0.0.1:1", ""), "connection refused",
                ELSEWHERE.formatted("http://no-such-host.invalid", ""), "the host name cannot be resolved",
                ELSEWHERE.formatted(
                                "https://127.0.0.1:1",
                                "exec: {apiVersion: client.authentication.k8s.io/v1, command: \"false\","
                                        + " interactiveMode: Never}"),
                        ": exit code 1"));
        causes.forEach((kubeconfig, cause) -> {
            CommandLineRun recorded = assertDoesNotThrow(() -> recordWith(kubeconfig));

            assertThat(recorded.exitCode()).isEqualTo(1);
            assertThat(recorded.errLines())
                    .singleElement()
                    .asString()
                    .contains("the cluster cannot be read: ")
                    .containsIgnoringCase(cause);
            assertThat(folder.resolve("my.jsonl")).doesNotExist();
        });
    }

    @Test
    void an_untrusted_certificate_is_reported() throws Exception {
        try (KubeEmulator other = KubeEmulator.start(KubeSettings.DEFAULT.withTls(true))) {
            CommandLineRun recorded = recordWith(ELSEWHERE.formatted(other.uri(), ""));

            assertThat(recorded.exitCode()).isEqualTo(1);
            assertThat(recorded.errLines()).singleElement().asString().contains("certificate is not signed");
        }
    }

    @Test
    void a_refused_token_is_reported() throws Exception {
        try (KubeEmulator guarded =
                KubeEmulator.start(KubeSettings.DEFAULT.withTls(true).withToken("right", "anna"))) {
            CommandLineRun recorded = recordWith(guarded.kubeconfig().replace("right", "wrong"));

            assertThat(recorded.exitCode()).isEqualTo(1);
            assertThat(recorded.errLines()).singleElement().asString().contains("HTTP 401");
        }
    }

    @Test
    void a_kubeconfig_that_cannot_be_used_is_a_fault() throws Exception {
        CommandLineRun recorded = recordWith(ELSEWHERE.formatted(
                "https://127.0.0.1:1",
                "exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such, interactiveMode: Never}"));

        assertThat(recorded.exitCode()).isEqualTo(2);
        assertThat(recorded.errLines())
                .containsExactly("poolkeeper: " + folder.resolve("kubeconfig")
                        + ": users[0].user.exec.command: found \"no-such\", must be a program that exists and can be"
                        + " run.");
    }

    @Test
    void bad_arguments_are_reported() {
        assertThat(record("--seconds", "-1").err()).contains("--seconds: found -1, must be 0 or more");
        assertThat(LabRun.of("record").err()).contains("--config");
    }
}
