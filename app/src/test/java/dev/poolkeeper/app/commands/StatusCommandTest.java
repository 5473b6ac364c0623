package dev.poolkeeper.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.admin.HostNames;
import dev.poolkeeper.app.status.Statuses;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.ports.ServiceName;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusCommandTest {

    private List<PoolStatus> pools = List.of(Statuses.held(), Statuses.inStep(1));
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server = AdminServer.start(
                InetAddress.getLoopbackAddress(),
                0,
                HostNames.USUAL,
                new AdminServer.Content(
                        List::of,
                        List::of,
                        () -> MetricSnapshots.of(),
                        () -> Statuses.with(pools),
                        (service, pool, node) -> Optional.of(Statuses.NODE)));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int port() {
        return server.address().getPort();
    }

    private CommandLineRun status(String... arguments) {
        List<String> all = new ArrayList<>(List.of("status", "--url", "http://127.0.0.1:" + port()));
        all.addAll(List.of(arguments));
        return CommandLineRun.of(all.toArray(String[]::new));
    }

    @Test
    @Rule(
            id = "O14",
            says = "`status` shows a summary in one line, then global problems, then each pool that is not in step"
                    + " with the reason, since when, until when and the remedy, then a table of all pools; `--output"
                    + " json` is the daemon's own response.",
            source = "ours")
    void problems_come_first_with_reason_and_remedy() {
        CommandLineRun run = status();

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .startsWith("1 of 2 pools in step, 1 held; 1 Service without a pool\n")
                .contains("\n"
                        + "The safety brake holds a removal\n"
                        + "  Removal held back by the safety brake: no address is wanted in any pool; it would"
                        + " remove 60 of 100 addresses.\n"
                        + "  Since 2026-01-01T11:59:50Z");
        assertThat(run.out().lines().dropWhile(line -> !line.startsWith("shop/web: ")))
                .containsExactly(
                        "shop/web: held since 2026-01-01T11:59:20Z until 2026-01-01T12:00:20Z",
                        "  Service shop/web is paused by its annotation.",
                        "  Remove the annotation poolkeeper.dev/paused to resume.",
                        "",
                        "shop/poolless: no pool",
                        "  No selected load balancer has a backend pool with its name.",
                        "",
                        "SERVICE     LOAD BALANCER  POOL      STATE    WANTED  MISSING  SURPLUS",
                        "shop/web    lb-1           shop-web  held     2       1        1",
                        "team-1/web  lb-1           team-1    in step  1       0        0");
    }

    @Test
    void a_single_service_can_be_queried() {
        CommandLineRun run = status("team-1/web");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("team-1/web  lb-1").doesNotContain("shop/web");
    }

    @Test
    void a_service_whose_name_is_a_prefix_of_another_is_shown_alone() {
        pools = List.of(Statuses.inStep(1), Statuses.inStep(11));

        assertThat(status("team-1/web").out()).contains("team-1/web").doesNotContain("team-11/web");
    }

    @Test
    @Rule(
            id = "O15",
            says = "`status NAMESPACE/NAME --node NODE` shows whether the node is in the Service's pools, and why:"
                    + " listed by which EndpointSlice, excluded by which label, without an address of the family,"
                    + " unknown, deleted, or not written yet and for what reason.",
            source = "ours")
    void a_single_node_can_be_queried() {
        assertThat(status("shop/web", "--node", "n9").out())
                .contains("Node n9 in pool shop-web: Not wanted: the node is excluded by its label example/label. It"
                        + " is still in the pool. Service shop/web is paused by its annotation. Until"
                        + " 2026-01-01T12:00:20Z. Remove the annotation poolkeeper.dev/paused to resume.");
    }

    @Test
    void a_service_without_a_pool_is_explained_and_the_command_fails() {
        assertThat(status("shop/poolless"))
                .satisfies(
                        run -> assertThat(run.exitCode()).isEqualTo(1),
                        run -> assertThat(run.out())
                                .contains("no selected load balancer has a backend pool with its name"));
        assertThat(status("shop/twice").out()).contains("several load balancers have one with its name");
        assertThat(status("shop/none").out()).contains("is not a Service of type LoadBalancer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop/we", "shop/web", "hop/web-v2", "shop/web-v", "op/web-v2", "x/shop"})
    void a_service_whose_name_is_a_part_of_another_has_no_pool(String asked) {
        PoolStatus other = Statuses.inStep(1);
        pools = List.of(new PoolStatus(
                other.pool(),
                List.of(new ServiceName("shop", "web-v2")),
                other.wanted(),
                other.adopted(),
                other.known(),
                other.attempts(),
                other.difference(),
                other.leaving()));

        for (String format : List.of("text", "json")) {
            CommandLineRun run = status(asked, "--output", format);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.out()).doesNotContain("shop/web-v2");
        }
        assertThat(status("shop/web-v2").exitCode()).isZero();
    }

    @Test
    @Rule(
            id = "O28",
            says = "Local Services without a pool are counted in the summary and listed with what is missing; status"
                    + " NAMESPACE/NAME answers for exactly that Service.",
            source = "ours")
    void services_without_a_pool_are_counted_and_shown() {
        assertThat(status().out())
                .contains("; 1 Service without a pool\n")
                .contains("\nshop/poolless: no pool\n  No selected load balancer has a backend pool with its name.\n");
    }

    @Test
    void a_service_without_a_pool_is_not_answered_for_by_one_with_a_longer_name() {
        pools = List.of(Statuses.inStep(11)); // team-11/web

        assertThat(status("team-11/we"))
                .satisfies(
                        run -> assertThat(run.exitCode()).isEqualTo(1),
                        run -> assertThat(run.out())
                                .contains("team-11/we has no pool")
                                .doesNotContain("lb-1"));
        assertThat(status("team-1/web").exitCode()).isEqualTo(1);
    }

    @Test
    void json_output_is_for_scripts() throws IOException {
        String out = status("--output", "json").out();

        assertThat(JsonMapper.builder().build().readTree(out).path("summary").asText())
                .isEqualTo("1 of 2 pools in step, 1 held; 1 Service without a pool");
    }

    @Test
    void hostile_names_cannot_inject_terminal_sequences() {
        pools = List.of(Statuses.parked());

        assertThat(status().out()).contains("<script>").doesNotContain("\u001b", "\u0007");
    }

    @Test
    void an_address_with_an_encoded_blank_is_requested_as_given() {
        String url = "http://127.0.0.1:" + server.address().getPort() + "/a%20b/statusz";

        assertThat(CommandLineRun.of("status", "--url", url).errLines())
                .containsExactly("poolkeeper: " + url + ": HTTP 404, not the status page of a daemon");
    }

    @Test
    void an_unreachable_daemon_is_reported_in_one_line() {
        server.close();
        CommandLineRun run = status();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).singleElement().asString().contains("no connection; is the daemon running");
    }

    /** What a server at the address was asked for, and what the command says of its answer. */
    private static CommandLineRun answered(List<String> asked, int code, String body, String path, String... arguments)
            throws IOException {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            try (exchange) {
                asked.add(exchange.getRequestURI().toString());
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        other.start();
        try {
            String url = "http://127.0.0.1:" + other.getAddress().getPort();
            List<String> all = new ArrayList<>(List.of("status", "--url", url + path));
            all.addAll(List.of(arguments));
            CommandLineRun run = CommandLineRun.of(all.toArray(String[]::new));
            return new CommandLineRun(run.exitCode(), run.out(), run.err().replace(url, "URL"));
        } finally {
            other.stop(0);
        }
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
        '',              -,          -,   /statusz?format=json&limit=20000
        /,               -,          -,   /statusz?format=json&limit=20000
        /statusz,        -,          -,   /statusz?format=json&limit=20000
        /statusz/,       -,          -,   /statusz?format=json&limit=20000
        /base,           -,          -,   /statusz?format=json&limit=20000
        /base/statusz,   -,          -,   /base/statusz?format=json&limit=20000
        /b%20c/statusz,  -,          -,   /b%20c/statusz?format=json&limit=20000
        /statusz?a=b,    -,          -,   /statusz?format=json&limit=20000
        '',              shop/web,   -,   /statusz?format=json&limit=20000&service=shop%2Fweb
        '',              shop/größe, n 1, /statusz?format=json&limit=20000&service=shop%2Fgr%C3%B6%C3%9Fe&node=n+1
        /statusz,        a/b,        a&b, /statusz?format=json&limit=20000&service=a%2Fb&node=a%26b
        """)
    void the_daemon_is_asked_for(String path, @Nullable String service, @Nullable String node, String asked)
            throws IOException {
        List<String> arguments = new ArrayList<>();
        if (service != null) {
            arguments.add(service);
        }
        if (node != null) {
            arguments.addAll(List.of("--node", node));
        }
        List<String> uris = new CopyOnWriteArrayList<>();

        CommandLineRun run = answered(uris, 200, "{\"summary\": \"x\"}", path, arguments.toArray(String[]::new));

        assertThat(uris).containsExactly(asked);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(service == null ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        404 | {"summary": "x"} | URL: HTTP 404, not the status page of a daemon
        302 | {"summary": "x"} | URL: HTTP 302, not the status page of a daemon
        503 | ``               | URL: HTTP 503, not the status page of a daemon
        204 | ``               | URL: HTTP 204, not the status page of a daemon
        200 | ``               | URL: the response is not from a Poolkeeper of this version
        200 | {}               | URL: the response is not from a Poolkeeper of this version
        200 | []               | URL: the response is not from a Poolkeeper of this version
        200 | null             | URL: the response is not from a Poolkeeper of this version
        200 | "summary"        | URL: the response is not from a Poolkeeper of this version
        200 | <html>           | URL: the response is not from a Poolkeeper of this version
        200 | {"summary": "x"  | URL: the response is not from a Poolkeeper of this version
        """)
    void an_answer_that_is_no_status_is_reported(int code, String body, String fault) throws IOException {
        CommandLineRun run = answered(new CopyOnWriteArrayList<>(), code, body, "");

        assertThat(run.errLines()).containsExactly("poolkeeper: " + fault);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:8095", "localhost:8095", "//localhost", "/statusz", "ftp://localhost", "http:///statusz",
                "http://", "http:localhost", "http://a b", "http://localhost:65536", "http://localhost:99999999999", ""
            })
    void an_address_that_is_none_is_refused(String url) {
        CommandLineRun run = CommandLineRun.of("status", "--url", url);

        assertThat(run.errLines())
                .containsExactly(
                        "poolkeeper: --url: found \"" + url + "\", must be an address such as http://127.0.0.1:8095");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://127.0.0.1:1", "https://127.0.0.1:1", "HTTP://127.0.0.1:1", "http://[::1]:1/statusz"})
    void an_address_of_http_or_https_is_tried(String url) {
        assertThat(CommandLineRun.of("status", "--url", url).errLines())
                .containsExactly(
                        "poolkeeper: " + url + ": no connection; is the daemon running, and its port forwarded?");
    }

    @Test
    void a_daemon_without_pools_is_no_failure() {
        pools = List.of();

        assertThat(status().exitCode()).isZero();
        assertThat(status("shop/web").exitCode()).isEqualTo(1);
        assertThat(status("--output", "json").out()).endsWith("}\n").doesNotEndWith("\n\n");
    }

    @Test
    void wrong_arguments_are_refused() {
        assertThat(status("web").errLines())
                .containsExactly("poolkeeper: NAMESPACE/NAME: found \"web\", must be a Service such as shop/web");
        assertThat(status("--node", "n1").errLines())
                .containsExactly("poolkeeper: --node: needs the Service, as NAMESPACE/NAME");
        assertThat(status("--output", "xml").exitCode()).isEqualTo(2);
        assertThat(CommandLineRun.of("status", "--url", "http://127.0.0.1:65536")
                        .errLines())
                .containsExactly("poolkeeper: --url: found \"http://127.0.0.1:65536\", must be an address such as"
                        + " http://127.0.0.1:8095");
        assertThat(CommandLineRun.of("status", "--url", "ftp://x").errLines())
                .containsExactly(
                        "poolkeeper: --url: found \"ftp://x\", must be an address such as" + " http://127.0.0.1:8095");
    }
}
