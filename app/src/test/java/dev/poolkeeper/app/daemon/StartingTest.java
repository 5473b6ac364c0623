package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.TestLog;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.ArmRole;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Problems at the start of a daemon: each is reported, and temporary ones are retried. */
class StartingTest {

    @TempDir
    private Path folder;

    private TestWorld world;
    private Thread.UncaughtExceptionHandler handlerBefore;

    @BeforeEach
    void start() throws IOException {
        handlerBefore = Thread.getDefaultUncaughtExceptionHandler();
        world = new TestWorld(folder);
        world.service("web", 1, 2);
        world.arm.cloud().putPool(TestWorld.pool("web"), TestWorld.addresses(5));
    }

    @AfterEach
    void stop() {
        world.close();
        Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
        TestLog.restore();
    }

    private static void assertThatIsNotReady(DaemonInProcess daemon) throws Exception {
        assertThat(daemon.pages().get("/livez").statusCode()).isEqualTo(200);
        assertThat(daemon.pages().get("/readyz").statusCode()).isEqualTo(503);
    }

    @Test
    @Rule(
            id = "C52",
            says = "An API server that is unreachable at the start is retried with backoff; the daemon is alive but"
                    + " not ready, and writes nothing until it has seen the whole cluster.",
            source = "ours")
    void the_daemon_waits_for_an_unreachable_api_server() throws Exception {
        world.kube.faults().unreachable(true);
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", ""))) {
            Await.until(
                    "it says so",
                    daemon::logText,
                    () -> daemon.log().stream()
                            .anyMatch(line -> line.startsWith("WARN ") && line.contains(" nextAttempt=")));
            assertThatIsNotReady(daemon);
            assertThat(daemon.pages().get("/readyz").body()).contains("[-]cluster-synced failed");
            assertThat(world.writes()).isEmpty();

            world.kube.faults().clear();
            world.awaitPool("web", 1, 2);
        }
    }

    @Test
    @Rule(
            id = "V14",
            says = "Requests to the API server that fail for one reason are one log line per kind, for the permissions"
                    + " and for each Lease, with the server, the root cause and the next step; libraries log nothing"
                    + " more.",
            source = "ours")
    void an_api_server_that_refuses_connections_is_named_with_the_reason() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        String server = "http://127.0.0.1:" + free + "/";
        String cause = "connection refused, or the network is unreachable";
        Path file = world.configuration("one", world.arm.baseUri(), URI.create("http://127.0.0.1:" + free), "");
        try (DaemonProcess daemon = DaemonProcess.start(folder, "one", "--config", file.toString())) {
            Await.until(
                    "watches, election and permissions say so",
                    daemon::log,
                    () -> lines(daemon, "Kubernetes watch failed").size() >= 4
                            && !lines(daemon, "Leader election cannot use its Lease")
                                    .isEmpty()
                            && !lines(daemon, "Permissions could not be checked")
                                    .isEmpty());

            assertThat(lines(daemon, "Kubernetes watch failed"))
                    .hasSize(4)
                    .allSatisfy(line -> assertThat(line)
                            .contains(" WARN ", "server=\"" + server + "\" cause=\"" + cause + "\" nextAttempt=\"in "));
            assertThat(lines(daemon, "Permissions could not be checked"))
                    .filteredOn(line -> line.contains("Kubernetes"))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("request to " + server + " failed: " + cause));
            assertThat(lines(daemon, "Leader election cannot use its Lease"))
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .contains("cannot get Lease kube-system/poolkeeper-leader at " + server + ": " + cause)
                            .contains("nextAttempt"));
            assertThat(daemon.log()).doesNotContain("JdkHttpClient", "\tat ", "Exception");
        }
    }

    private static List<String> lines(DaemonProcess daemon, String text) {
        return daemon.log().lines().filter(line -> line.contains(text)).toList();
    }

    @Test
    @Rule(
            id = "C53",
            says = "A missing permission in the cluster is reported by name at the start; once it is granted, the"
                    + " daemon continues without a restart. Until then no pool is changed.",
            source = "ours")
    void a_missing_permission_is_reported_and_the_daemon_continues_once_granted() throws Exception {
        world.kube.faults().deny(request -> request.resource().equals("endpointslices"));
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", ""))) {
            Await.until(
                    "it names the permission",
                    daemon::logText,
                    () -> daemon.hasLogged("list endpointslices.discovery.k8s.io in all namespaces"));
            Await.until(
                    "the status has it",
                    daemon::logText,
                    () -> daemon.pages()
                            .get("/statusz?format=json")
                            .body()
                            .contains("watch endpointslices.discovery.k8s.io"));
            assertThatIsNotReady(daemon);
            assertThat(world.addresses("web")).isEqualTo(TestWorld.addresses(5));

            world.kube.faults().clear();
            world.awaitPool("web", 1, 2);
        }
    }

    @Test
    @Rule(
            id = "C54",
            says = "An unreachable ARM at the start is retried with backoff; no pool is changed before the load"
                    + " balancers have been listed.",
            source = "ours")
    void the_daemon_waits_for_an_unreachable_arm() throws Exception {
        try (TcpProxy toArm = new TcpProxy(world.arm.baseUri().getPort())) {
            toArm.cut();
            Path file = world.configuration(
                    "one", URI.create("https://localhost:" + toArm.port()), world.kube.uri(), "retry:\n  attempts: 0");
            try (DaemonInProcess daemon = DaemonInProcess.start(file)) {
                Await.until("it says so", daemon::logText, () -> daemon.hasLogged("Listing the load balancers failed"));
                assertThatIsNotReady(daemon);
                assertThat(world.addresses("web")).isEqualTo(TestWorld.addresses(5));

                toArm.open();
                world.awaitPool("web", 1, 2);
            }
        }
    }

    @Test
    @Rule(
            id = "C55",
            says = "A missing permission in Azure is reported at the start, by name and with its remedy.",
            source = "ours")
    void a_missing_azure_permission_is_reported() throws Exception {
        world.arm.change(settings ->
                settings.withRole(ArmRole.OWNER.without("Microsoft.Network/loadBalancers/backendAddressPools/write")));
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", ""))) {
            Await.until(
                    "it names the permission",
                    daemon::logText,
                    () -> daemon.hasLogged("Microsoft.Network/loadBalancers/backendAddressPools/write"));
            Await.until(
                    "the metric counts it",
                    daemon::logText,
                    () -> daemon.pages().metric("poolkeeper_missing_permissions") == 1);
            assertThat(world.addresses("web")).isEqualTo(TestWorld.addresses(5));
        }
    }

    private CommandLineRun run(Path file) {
        return CommandLineRun.of("run", "--config", file.toString());
    }

    @Test
    void an_invalid_configuration_is_reported_line_by_line() throws Exception {
        CommandLineRun run = run(world.configuration("bad", "dryRun: perhaps\nshutdownGraceInSeconds: -1"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).hasSize(2);
        assertThat(run.err()).contains("dryRun", "perhaps").contains("shutdownGraceInSeconds", "-1");
    }

    @Test
    void a_configuration_without_azure_is_refused() throws Exception {
        CommandLineRun run = run(Files.writeString(folder.resolve("bare.yaml"), "dryRun: true\n"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("subscriptionId: is missing", "resourceGroup: is missing", "must be set for a daemon");
    }

    @Test
    void a_missing_kubeconfig_is_reported() throws Exception {
        Path file = world.configuration("one", "");
        Files.delete(folder.resolve("one.kubeconfig"));

        CommandLineRun run = run(file);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("kubeconfig", "one.kubeconfig", "can be read");
    }

    @Test
    void an_unknown_kubeconfig_context_is_reported() throws Exception {
        CommandLineRun run = run(world.configuration("one", "kubeContext: nowhere"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("nowhere");
    }

    @Test
    void a_port_in_use_is_reported() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Path file = world.configuration("one", "");
            Files.writeString(file, Files.readString(file).replace("port: 0", "port: " + taken.getLocalPort()));

            CommandLineRun run = run(file);

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("admin.port", Integer.toString(taken.getLocalPort()), "free port");
        }
    }

    @Test
    @Rule(
            id = "V12",
            says = "Without a kubeconfig and a service account, or with a token that is not valid in an HTTP header,"
                    + " the daemon does not start: one line reports it, without the token, and the exit code is 2.",
            source = "ours")
    void a_token_that_cannot_be_sent_is_reported_without_it() throws Exception {
        Path file = world.configuration("one", "");
        Files.writeString(folder.resolve("one.kubeconfig"), """
            {"apiVersion": "v1", "kind": "Config", "current-context": "x",
             "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
             "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
             "users": [{"name": "u", "user": {"token": "s3\\ncret"}}]}
            """);

        CommandLineRun run = run(file);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .filteredOn(line -> !line.startsWith("warning: "))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("one.kubeconfig: users[0].user.token: contains characters that an HTTP header"
                                + " does not allow"));
        assertThat(run.err()).doesNotContain("s3");
    }

    @Test
    @Rule(
            id = "V13",
            says = "While no watch is open the status page reports it, poolkeeper_watch_open is 0 for every kind, and"
                    + " the daemon stays ready: in an outage of the API server all replicas would otherwise become"
                    + " unready at once.",
            source = "ours")
    void a_ready_daemon_that_loses_all_watches_reports_it_and_stays_ready() throws Exception {
        String line = "No watch on the API server is open";
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", ""))) {
            daemon.awaitReady();
            Await.until("all watches are open", daemon::logText, () -> world.kube.openWatches() == 7);
            assertThat(daemon.pages().get("/statusz").body()).doesNotContain(line);

            world.kube.faults().unreachable(true);

            Await.until(
                    "the status says so",
                    daemon::logText,
                    () -> daemon.pages().get("/statusz").body().contains(line));
            assertThat(daemon.pages().metric("poolkeeper_watch_open")).isZero();
            assertThat(daemon.pages().isReady()).isTrue();
            world.kube.faults().clear();
            Await.until("all watches are open again", daemon::logText, () -> world.kube.openWatches() == 7);
            Await.until(
                    "the status is clean",
                    daemon::logText,
                    () -> !daemon.pages().get("/statusz").body().contains(line));
        }
    }
}
