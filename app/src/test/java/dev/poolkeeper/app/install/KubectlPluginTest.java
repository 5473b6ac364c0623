package dev.poolkeeper.app.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.admin.HostNames;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.app.status.Statuses;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kubectl poolkeeper}, with a fake {@code kubectl} that gives the address of a daemon's pages. */
class KubectlPluginTest {

    private static final Path PLUGIN = Path.of("../deploy/kubectl-poolkeeper");

    @TempDir
    private Path folder;

    private AdminServer server;

    private record Run(int exitCode, String out, String err) {}

    @BeforeEach
    void start() throws IOException {
        assumeTrue(
                Files.isExecutable(Path.of("/bin/sh")) && Files.isExecutable(Path.of("/usr/bin/curl")),
                "there is no shell or no curl here");
        server = AdminServer.start(
                InetAddress.getLoopbackAddress(),
                0,
                HostNames.USUAL,
                new AdminServer.Content(
                        List::of,
                        List::of,
                        () -> MetricSnapshots.of(),
                        () -> Statuses.with(List.of(Statuses.held(), Statuses.inStep(1))),
                        (service, pool, node) -> Optional.of(Statuses.NODE)));
        kubectl("poolkeeper_poolkeeper-7c9f-x2_4be1");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** Records its arguments and process id, then forwards until it is killed. */
    private void kubectl(String holder) throws IOException {
        Path kubectl = folder.resolve("kubectl");
        Files.writeString(
                kubectl, """
                    #!/bin/sh
                    echo "$*" >> %1$s/calls
                    case "$*" in
                        *" get lease "*) echo "%2$s" ;;
                        *) echo $$ > %1$s/forwarding; echo "Forwarding from 127.0.0.1:%3$d -> 8095"; exec tail -f /dev/null ;;
                    esac
                    """.formatted(folder, holder, server.address().getPort()));
        Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Run plugin(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", PLUGIN.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(folder.resolve("err").toFile());
        builder.environment().put("PATH", folder + ":/usr/bin:/bin");
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), out, Files.readString(folder.resolve("err")));
    }

    @Test
    void the_plugin_queries_the_leader_and_prints_the_commands_output() throws Exception {
        Run run = plugin("status", "shop/web", "--node", "n9", "-n", "infra", "--context", "prod");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .isEqualTo(CommandLineRun.of(
                                "status",
                                "shop/web",
                                "--node",
                                "n9",
                                "--url",
                                "http://127.0.0.1:" + server.address().getPort())
                        .out());
        assertThat(folder.resolve("calls"))
                .content()
                .contains("--context prod -n infra get lease poolkeeper-leader")
                .contains("--context prod -n infra port-forward pod/poolkeeper-7c9f-x2 :8095");
    }

    @Test
    void no_port_forward_is_left_behind() throws Exception {
        plugin("status");

        long forwarding =
                Long.parseLong(Files.readString(folder.resolve("forwarding")).strip());
        Optional<ProcessHandle> left = ProcessHandle.of(forwarding);
        left.ifPresent(process -> process.onExit().join());
        assertThat(ProcessHandle.of(forwarding).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void json_output_is_for_scripts() throws Exception {
        assertThat(plugin("status", "--output=json").out()).startsWith("{").contains("\"summary\"");
    }

    @Test
    void without_a_leader_the_plugin_reports_it() throws Exception {
        kubectl("");

        Run run = plugin("status");

        assertThat(run.err()).isEqualTo("kubectl-poolkeeper: Lease poolkeeper/poolkeeper-leader: no replica leads\n");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void bad_arguments_are_reported() throws Exception {
        assertThat(plugin("statu").err()).startsWith("kubectl-poolkeeper: statu: must be status");
        assertThat(plugin("status", "--node", "n1").err()).contains("--node: needs the Service");
        assertThat(plugin("status", "--output", "xml").err()).contains("must be one of text, json");
        assertThat(plugin("status", "--nod").exitCode()).isEqualTo(2);
    }
}
