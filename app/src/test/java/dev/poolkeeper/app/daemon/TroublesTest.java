package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.fake.cloud.FaultRule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten troubles, each caused with the real adapters against the emulators, and what the log, the Events, the page, the
 * command line and the alerts report. {@code docs/reference/ten-troubles.md} contains these reports; with
 * {@code -Ddocs.update} this test writes it.
 */
class TroublesTest {

    private static final Path DOC = Path.of("..", "docs", "reference", "ten-troubles.md");
    private static final Path ALERTS = Path.of("..", "deploy", "helm", "poolkeeper", "rules", "poolkeeper-alerts.yaml");
    private static final String RULE =
            "Each of ten troubles is reported by the log, the Events, the page, the command line"
                    + " and the alerts, or the place has a documented reason not to: docs/reference/ten-troubles.md.";

    @TempDir
    private Path folder;

    private TestWorld world;
    private KubeEmulator otherKube;
    private final List<String> rows = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        world = new TestWorld(folder);
        world.service("web", 1, 2);
        world.service("api", 3);
    }

    @AfterEach
    void stop() {
        world.close();
        if (otherKube != null) {
            otherKube.close();
        }
    }

    /** A daemon's output, and the address of its pages. */
    private final class Seen {
        private final DaemonInProcess daemon;

        Seen(DaemonInProcess daemon) {
            this.daemon = daemon;
        }

        /** The first log line with this text, once there is one. */
        void log(String text) {
            Await.until("the log says " + text, daemon::logText, () -> daemon.hasLogged(text));
            String line = daemon.log().stream()
                    .filter(logged -> logged.contains(text))
                    .findFirst()
                    .orElseThrow();
            row("log", "`" + stable(line) + "`");
        }

        /** The Event with this text on a Service. */
        void event(String service, String text) {
            row("Event", "`" + stable(awaitEvent(service, text)) + "`");
        }

        private String awaitEvent(String service, String text) {
            List<String> found = new ArrayList<>();
            Await.until("an Event of " + service + " says " + text, () -> daemon.logText() + found, () -> {
                found.clear();
                KubeObjects.eventsOf(world.kube, TestWorld.NAMESPACE, service).stream()
                        .map(event -> event.path("type").asText() + " "
                                + event.path("reason").asText() + ": "
                                + event.path("message").asText())
                        .forEach(found::add);
                return found.stream().anyMatch(event -> event.contains(text));
            });
            return found.stream()
                    .filter(event -> event.contains(text))
                    .findFirst()
                    .orElseThrow();
        }

        void noEvent(String reason) {
            row("Event", "none: " + reason);
        }

        /** The problem with this text on the page. */
        void page(String text) {
            List<String> found = new ArrayList<>();
            Await.until("the page says " + text, () -> daemon.logText() + found, () -> {
                found.clear();
                found.addAll(problems(daemon.pages().get("/statusz").body()));
                return found.stream().anyMatch(problem -> problem.contains(text));
            });
            row(
                    "page",
                    stable(found.stream()
                            .filter(problem -> problem.contains(text))
                            .findFirst()
                            .orElseThrow()));
        }

        /** What is shown for a Service and a node, which need no attention. */
        void pageOf(String query, String text) throws Exception {
            List<String> paragraphs = daemon.pages()
                    .get("/statusz" + query)
                    .body()
                    .lines()
                    .map(TroublesTest::plain)
                    .filter(line -> line.contains(text))
                    .toList();
            assertThat(paragraphs).hasSize(1);
            row("page", stable(paragraphs.get(0)));
        }

        /** The lines of the command from the one with this text to the next empty one. */
        void command(String text, String... arguments) {
            List<String> all = new ArrayList<>(
                    List.of("status", "--url", "http://" + daemon.pages().address()));
            all.addAll(List.of(arguments));
            List<String> lines = new ArrayList<>();
            Await.until("status says " + text, () -> daemon.logText() + lines, () -> {
                lines.clear();
                CommandLineRun.of(all.toArray(String[]::new)).out().lines().forEach(lines::add);
                return lines.stream().anyMatch(line -> line.contains(text));
            });
            String said = lines.stream()
                    .dropWhile(line -> !line.contains(text))
                    .takeWhile(line -> !line.isBlank())
                    .map(String::strip)
                    .collect(Collectors.joining("` `"));
            row("`status`" + (arguments.length > 1 ? " `--node`" : ""), "`" + stable(said) + "`");
        }

        /** The alert whose expression holds by this metric. */
        void alert(String name, String metric, DoublePredicate holds) throws IOException {
            Await.until(
                    name + " holds",
                    daemon::logText,
                    () -> daemon.pages().metrics(metric).anyMatch(holds));
            JsonNode alert = alerts().stream()
                    .filter(rule -> rule.path("alert").asText().equals(name))
                    .findFirst()
                    .orElseThrow();
            assertThat(alert.path("expr").asText()).contains(metric);
            String after = alert.path("for").asText("");
            row(
                    "alert",
                    "`%s`%s: %s"
                            .formatted(
                                    name,
                                    after.isEmpty() ? "" : " after " + after,
                                    alert.at("/annotations/summary").asText()));
        }

        void noLog(String reason) {
            row("log", "none: " + reason);
        }

        void noAlert(String reason) {
            row("alert", "none: " + reason);
        }
    }

    private void row(String place, String said) {
        rows.add("| %s | %s |".formatted(place, said.replace("|", "\\|")));
    }

    private static List<JsonNode> alerts() throws IOException {
        return new YAMLMapper()
                .readTree(ALERTS.toFile())
                .at("/groups/0/rules")
                .valueStream()
                .toList();
    }

    private static List<String> problems(String page) {
        List<String> problems = new ArrayList<>();
        for (String part : page.split("<section class=\"problem\">", -1)) {
            int end = part.indexOf("</section>");
            if (end >= 0) {
                problems.add(plain(part.substring(0, end)));
            }
        }
        return problems;
    }

    private static String plain(String html) {
        return html.replace("<h3>", "**")
                .replace("</h3>", "** ")
                .replace("</p>", " ")
                .replaceAll("<[^>]*>", "")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&")
                .replaceAll("\\s+", " ")
                .strip();
    }

    /** Without parts that differ in each run. */
    private static String stable(String said) {
        return said.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME")
                .replaceAll("TIME, (in )?\\d+ (s|min|h)( ago)?", "TIME")
                .replaceAll("(in|within) [\\d.]+ (ms|s|min)\\b", "$1 …")
                .replaceAll("sinceChange=\"[^\"]*\"", "sinceChange=\"…\"")
                .replaceAll("Kubernetes (list|watch) failed", "Kubernetes list failed")
                .replaceAll("\\b(list|watch) at http", "list at http")
                .replaceAll("(?i)connection refused(, or the network is unreachable)?", "connection refused")
                .replaceAll("kind=\"[^\"]*\"", "kind=\"…\"")
                .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID")
                .replaceAll("removal-[0-9a-f]{8}-\\d+", "removal-ID")
                .replaceAll("(127\\.0\\.0\\.1|localhost):\\d+", "$1:PORT");
    }

    private void check(String title, String made) throws IOException {
        String section = "## %s\n\n%s\n\n| where | what it says |\n|---|---|\n%s\n"
                .formatted(title, made, String.join("\n", rows));
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(DOC, replaced(Files.readString(DOC), title, section));
        }
        assertThat(Files.readString(DOC))
                .as("docs/reference/ten-troubles.md, made by: ./mvnw -pl app -am test -Dtest=TroublesTest"
                        + " -Ddocs.update=true -Dsurefire.failIfNoSpecifiedTests=false")
                .contains(section);
    }

    private static String replaced(String doc, String title, String section) {
        int begin = doc.indexOf("## " + title + "\n");
        if (begin < 0) {
            return doc.stripTrailing() + "\n\n" + section;
        }
        int end = doc.indexOf("\n## ", begin);
        return doc.substring(0, begin) + section + (end < 0 ? "" : doc.substring(end));
    }

    @FunctionalInterface
    private interface Story {
        void tell(Seen seen) throws Exception;
    }

    private void tell(Path configuration, Story story) throws Exception {
        try (DaemonInProcess daemon = DaemonInProcess.start(configuration)) {
            story.tell(new Seen(daemon));
        }
    }

    /** A daemon that has written both pools before the trouble begins. */
    private void tellOfSettled(String moreKeys, Story story) throws Exception {
        tell(world.configuration("one", moreKeys), seen -> {
            world.awaitPool("web", 1, 2);
            world.awaitPool("api", 3);
            story.tell(seen);
        });
    }

    /** The daemon knows that its last write was applied. */
    private static void awaitInStep(DaemonInProcess daemon) {
        Await.until(
                "both pools are in step",
                daemon::logText,
                () -> daemon.pages().status().path("summary").asText().startsWith("2 of 2 pools in step"));
    }

    @Test
    @Rule(id = "O24", says = RULE, source = "ours")
    void wrong_certificate_authority() throws Exception {
        otherKube = KubeEmulator.start(KubeSettings.LIFELIKE);
        Path file = world.configuration("one", world.arm.baseUri(), otherKube.uri(), "");
        try (KubeEmulator stranger = KubeEmulator.start(KubeSettings.LIFELIKE)) {
            Files.writeString(
                    folder.resolve("one.kubeconfig"),
                    stranger.kubeconfig()
                            .replace(stranger.uri().toString(), otherKube.uri().toString()));
        }
        tell(file, seen -> {
            seen.log("WARN Kubernetes ");
            seen.noEvent("Events are written to the API server.");
            seen.page("The last error: ");
            seen.command("No watch on the API server is open");
            seen.alert("PoolkeeperWatchesClosed", "poolkeeper_watch_open", open -> open == 0);
        });
        check("Wrong certificate authority", "The kubeconfig trusts another authority than the API server's.");
    }

    @Test
    @Rule(id = "O24", says = RULE, source = "ours")
    void connection_refused() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        tell(world.configuration("one", world.arm.baseUri(), URI.create("http://127.0.0.1:" + free), ""), seen -> {
            seen.log("WARN Kubernetes ");
            seen.noEvent("Events are written to the API server.");
            seen.page("The last error: ");
            seen.command("No watch on the API server is open");
            seen.alert("PoolkeeperWatchesClosed", "poolkeeper_watch_open", open -> open == 0);
        });
        check("Connection refused", "Nothing listens at the API server's address.");
    }

    @Test
    @Rule(id = "O24", says = RULE, source = "ours")
    void unauthorized() throws Exception {
        otherKube = KubeEmulator.start(KubeSettings.DEFAULT.withTls(true).withToken("this-months", "poolkeeper"));
        Path file = world.configuration("one", world.arm.baseUri(), otherKube.uri(), "");
        Files.writeString(
                folder.resolve("one.kubeconfig"), otherKube.kubeconfig().replace("this-months", "last-months"));
        tell(file, seen -> {
            seen.log("Kubernetes list failed");
            seen.noEvent("Events are written to the API server.");
            seen.page("The last error: ");
            seen.command("No watch on the API server is open");
            seen.alert("PoolkeeperWatchesClosed", "poolkeeper_watch_open", open -> open == 0);
        });
        check("401", "The API server does not accept the token.");
    }

    @Test
    @Rule(id = "O24", says = RULE, source = "ours")
    void forbidden() throws Exception {
        tellOfSettled("", seen -> {
            world.arm.faults().add(FaultRule.always(403).code("AuthorizationFailed"));
            world.endpoints("web", 2, 4);
            seen.log("Access to a pool denied");
            seen.event("web", "AuthorizationFailed");
            seen.page("is denied");
            seen.command("is denied");
            seen.alert("PoolkeeperLoadBalancerForbidden", "poolkeeper_isolated_load_balancers", count -> count == 1);
        });
        check("403", "Azure refuses access to a pool.");
    }

    @Test
    @Rule(id = "O24", says = RULE, source = "ours")
    void throttled() throws Exception {
        tellOfSettled("", seen -> {
            world.arm
                    .faults()
                    .add(FaultRule.always(429)
                            .forMethod("PUT")
                            .code("TooManyRequests")
                            .retryAfter(Duration.ofMinutes(5)));
            world.endpoints("web", 2, 4);
            seen.log("Azure throttles requests");
            seen.event("web", "429");
            seen.page("shop/web");
            seen.command("shop/web:");
            seen.alert("PoolkeeperThrottled", "poolkeeper_gate_shut_seconds", seconds -> seconds > 0);
        });
        check("429", "Azure throttles writes for five minutes.");
    }

    @Test
    @Rule(id = "O24", says = RULE, source = "ours")
    void lock_held() throws Exception {
        tellOfSettled("", seen -> {
            world.holdLock("cloud-controller-manager", Instant.now());
            world.endpoints("web", 2, 4);
            seen.log("cloud-controller-manager");
            seen.noEvent("the owner of the Service can do nothing about it, and it resolves itself.");
            seen.page("cloud-controller-manager");
            seen.command("shop/web: lock held");
            seen.alert(
                    "PoolkeeperResourceLockHeldByAnother",
                    "poolkeeper_resource_lock_held_by_another",
                    count -> count == 1);
        });
        check("Resource lock held", "The Go cloud provider holds the resource lock, and does not give it back.");
    }

    @Test
    @Rule(id = "O24", says = RULE, source = "ours")
    void excluded_node() throws Exception {
        tellOfSettled("", seen -> {
            world.exclude(2);
            world.awaitPool("web", 1);
            seen.log("removed=\"[10.1.0.2]\"");
            seen.event("web", "removed 10.1.0.2");
            seen.pageOf("?service=shop/web&node=node-2", "excluded by its label");
            seen.command("excluded by its label", "shop/web", "--node", "node-2");
            seen.noAlert("the label asks for it.");
        });
        check("Excluded node", "A node with endpoints gets the label that excludes it from load balancers.");
    }

    @Test
    @Rule(id = "O24", says = RULE, source = "ours")
    void no_slice() throws Exception {
        world.kube.delete("/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices/web-1");
        world.arm.cloud().putPool(TestWorld.pool("web"), TestWorld.addresses(5));
        tell(world.configuration("one", ""), seen -> {
            world.awaitPool("api", 3);
            seen.noLog("EndpointSlices come when the Service has endpoints; a Service without them is no fault.");
            seen.noEvent("as the log.");
            seen.page("shop/web");
            seen.command("shop/web:");
            seen.alert("PoolkeeperPoolsDiffer", "poolkeeper_pools_differing", count -> count == 1);
        });
        check("No EndpointSlice", "A local Service has no EndpointSlice.");
    }

    @Test
    @Rule(id = "O24", says = RULE, source = "ours")
    void safety_brake() throws Exception {
        // held for longer than the brake's window: what was added within it may go again
        world.arm.cloud().putPool(TestWorld.pool("web"), TestWorld.addresses(1, 2));
        world.arm.cloud().putPool(TestWorld.pool("api"), TestWorld.addresses(3));
        tellOfSettled("", seen -> {
            awaitInStep(seen.daemon);
            world.exclude(1);
            world.exclude(2);
            world.exclude(3);
            seen.log("Removal held back by the safety brake");
            seen.event("web", "safety brake");
            seen.page("The safety brake holds a removal");
            seen.command("The safety brake holds a removal");
            seen.alert("PoolkeeperSafetyBrake", "poolkeeper_safety_brake_addresses", count -> count == 3);
        });
        check("Safety brake", "Every node with endpoints is excluded, which would empty every pool.");
    }

    @Test
    @Rule(id = "O24", says = RULE, source = "ours")
    void drift() throws Exception {
        tellOfSettled("resyncIntervalInSeconds: 1\ndirectoryRefreshIntervalInSeconds: 1", seen -> {
            for (int changedBack = 1; changedBack <= 4; changedBack++) {
                world.awaitPool("web", 1, 2);
                awaitInStep(seen.daemon);
                world.arm.cloud().putPool(TestWorld.pool("web"), TestWorld.addresses(6));
            }
            seen.log("Another writer keeps changing a pool back");
            seen.event("web", "another writer");
            seen.page("shop/web");
            seen.command("shop/web:");
            seen.alert("PoolkeeperDriftFight", "poolkeeper_drift_fights", count -> count == 1);
        });
        check("Drift", "Another writer changes a pool back four times; from the third on it is written less often.");
    }
}
