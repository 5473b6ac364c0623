package dev.poolkeeper.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.status.StatusHtml;
import dev.poolkeeper.app.status.Statuses;
import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.PoolStatus;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServerTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final Watchdog watchdog = new Watchdog(nanos::get);
    private final Watchdog.Heartbeat ticks = watchdog.watch("ticks", Duration.ofSeconds(90));
    private volatile List<Check> ready = List.of(new Check("synced", null));
    private volatile List<PoolStatus> pools = List.of(Statuses.parked(), Statuses.inStep(1));
    private final HttpClient client = HttpClient.newHttpClient();
    private volatile Runnable beforeStatus = () -> {};
    private volatile Runnable beforeScrape = () -> {};
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server = AdminServer.start(
                InetAddress.getLoopbackAddress(),
                0,
                HostNames.USUAL,
                new AdminServer.Content(
                        watchdog::checks,
                        () -> ready,
                        this::metrics,
                        () -> {
                            beforeStatus.run();
                            return Statuses.with(pools);
                        },
                        (service, pool, node) -> Optional.of(Statuses.NODE)));
    }

    private MetricSnapshots metrics() {
        beforeScrape.run();
        return MetricSnapshots.of(GaugeSnapshot.builder()
                .name("poolkeeper_leader")
                .help("leads")
                .dataPoint(
                        GaugeSnapshot.GaugeDataPointSnapshot.builder().value(1).build())
                .build());
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    private HttpResponse<String> send(String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.address().getPort() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        return send("GET", path, headers);
    }

    private JsonNode json(String path) throws Exception {
        return JsonMapper.builder().build().readTree(get(path).body());
    }

    @Test
    @Rule(
            id = "O4",
            says = "/livez fails only if one of the daemon's own loops has made no progress for longer than its limit,"
                    + " and depends on no other system; a standby passes.",
            source = "Kubernetes, API health endpoints")
    void livez_fails_only_when_a_loop_is_stuck() throws Exception {
        // given
        ready = List.of(new Check("synced", "no list of Nodes yet"));
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        // when
        nanos.addAndGet(Duration.ofSeconds(91).toNanos());
        // then
        HttpResponse<String> stuck = get("/livez");
        assertThat(stuck.statusCode()).isEqualTo(503);
        assertThat(stuck.body())
                .isEqualTo(
                        "[-]ticks failed: no heartbeat for 91 s (limit 90 s)\n[+]deadlines ok\nlivez check failed\n");
        ticks.beat();
        assertThat(get("/livez").body()).isEqualTo("ok\n");
    }

    @Test
    void a_loop_that_has_ended_does_not_count_as_stuck() throws Exception {
        ticks.rest();
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(get("/livez?verbose").body()).contains("[+]ticks ok\n");
    }

    @Test
    void readyz_lists_its_checks_as_kubernetes_does() throws Exception {
        assertThat(get("/readyz").body()).isEqualTo("ok\n");
        assertThat(get("/readyz?verbose").body()).isEqualTo("[+]synced ok\nreadyz check passed\n");
        ready = List.of(new Check("synced", "no list of Nodes yet"), new Check("policies", null));
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/readyz").body())
                .isEqualTo("[-]synced failed: no list of Nodes yet\n[+]policies ok\nreadyz check failed\n");
    }

    @Test
    void metrics_are_served_in_the_requested_format() throws Exception {
        assertThat(get("/metrics").headers().firstValue("content-type").orElseThrow())
                .startsWith("text/plain; version=0.0.4");
        assertThat(get("/metrics").body()).contains("# TYPE poolkeeper_leader gauge", "poolkeeper_leader 1.0");
        HttpResponse<String> open = get("/metrics", "Accept", "application/openmetrics-text; version=1.0.0");
        assertThat(open.headers().firstValue("content-type").orElseThrow()).startsWith("application/openmetrics-text");
        assertThat(open.body()).endsWith("# EOF\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
    @Rule(
            id = "O5",
            says = "The admin server is read-only: any method but GET and HEAD gets 405, any other path 404, and no"
                    + " response repeats the request.",
            source = "RFC 9110")
    void only_reading_methods_are_allowed(String method) throws Exception {
        HttpResponse<String> answer = send(method, "/statusz");
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD");
    }

    @Test
    void an_unknown_path_is_not_repeated() throws Exception {
        HttpResponse<String> answer = get("/%3Cscript%3Ealert(1)%3C/script%3E");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).doesNotContain("script");
        assertThat(get("/livez/x").statusCode()).isEqualTo(404);
    }

    @Test
    void a_head_response_has_the_length_and_no_body() throws Exception {
        HttpResponse<String> head = send("HEAD", "/statusz");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValueAsLong("content-length").orElseThrow())
                .isGreaterThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/metrics", "/statusz", "/none"})
    void every_response_has_security_headers(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.headers().firstValue("x-content-type-options")).hasValue("nosniff");
        assertThat(answer.headers().firstValue("x-frame-options")).hasValue("DENY");
        assertThat(answer.headers().firstValue("referrer-policy")).hasValue("no-referrer");
        assertThat(answer.headers().firstValue("cache-control")).hasValue("no-store");
        assertThat(answer.headers()
                        .firstValue("content-security-policy")
                        .orElseThrow()
                        .split("; "))
                .containsExactlyInAnyOrder(
                        "default-src 'none'",
                        "style-src 'unsafe-inline'",
                        "script-src 'self'",
                        "connect-src 'self'",
                        "form-action 'self'",
                        "base-uri 'none'",
                        "frame-ancestors 'none'");
    }

    @Test
    void the_status_has_an_entry_for_each_pool() throws Exception {
        JsonNode status = json("/statusz?format=json");
        JsonNode pool = status.path("pools").get(0);
        assertThat(pool.path("loadBalancer").asText()).isEqualTo(Statuses.HOSTILE);
        assertThat(pool.path("services").get(0).asText()).isEqualTo("shop/web");
        assertThat(pool.path("inStep").asBoolean(true)).isFalse();
        assertThat(pool.path("missing").get(0).asText()).isEqualTo("10.0.0.4");
        assertThat(pool.path("surplus").get(0).asText()).isEqualTo("10.0.0.9");
        assertThat(pool.at("/known/at").asText()).isEqualTo("2026-01-01T11:59:20Z");
        assertThat(pool.at("/known/lastCall/failure").asText()).startsWith("HTTP 409");
        assertThat(pool.path("attempts").asInt()).isEqualTo(2);
        assertThat(pool.at("/difference/reason").asText()).isEqualTo("PARKED");
        assertThat(pool.at("/difference/until").asText()).isEqualTo("2026-01-01T12:00:20Z");
        assertThat(status.path("pools").get(1).path("difference").isNull()).isTrue();
    }

    @Test
    void the_status_has_an_entry_for_each_component() throws Exception {
        JsonNode status = json("/statusz?format=json");
        assertThat(status.at("/program/lastTick").asText()).isEqualTo("2026-01-01T11:59:53Z");
        assertThat(status.at("/engine/at").asText()).isEqualTo("2026-01-01T12:00:00Z");
        assertThat(status.at("/engine/pools").isMissingNode()).isTrue();
        assertThat(status.at("/engine/holds/braked/0/id").asText()).isEqualTo("removal-1");
        assertThat(status.at("/engine/listing/withoutPool/0").asText()).isEqualTo("shop/poolless");
        assertThat(status.at("/engine/listing/failure").asText()).startsWith("HTTP 409");
        assertThat(status.at("/cluster/election/leader").asText()).isEqualTo(Statuses.HOSTILE);
        assertThat(status.at("/cluster/watches/0/lastSign").asText()).isEqualTo("2026-01-01T11:58:30Z");
        assertThat(status.at("/cluster/resourceLock/holding/holder").asText()).isEqualTo(Statuses.HOSTILE);
        assertThat(status.at("/azure/gates/writesShutUntil").asText()).isEqualTo("2026-01-01T12:00:17Z");
        assertThat(status.at("/azure/retryBudget/balance").asLong()).isEqualTo(8);
        assertThat(status.at("/settings/live/retries").isTextual()).isTrue();
        assertThat(status.at("/settings/faults/0").asText()).startsWith("poolkeeper.yaml: retry.attempts: ");
        assertThat(status.path("missingPermissions")).hasSize(1);
        assertThat(status.path("poolsInAll").asInt()).isEqualTo(2);
    }

    @Test
    void the_accept_header_decides_between_json_and_a_page() throws Exception {
        assertThat(get("/statusz", "Accept", "application/json").body()).startsWith("{");
        assertThat(get("/statusz", "Accept", "text/html,application/xhtml+xml,application/json;q=0.9")
                        .body())
                .startsWith("<!DOCTYPE html>");
    }

    @Test
    void of_ten_thousand_pools_the_page_shows_a_part_and_finds_each() throws Exception {
        // given
        List<PoolStatus> many = new ArrayList<>(Statuses.inStep(0, 10_000));
        many.add(9_000, Statuses.parked());
        pools = many;
        // then
        String page = get("/statusz").body();
        assertThat(page).contains("Shown: the first 500 of 10001; there are 10001 pools.");
        assertThat(page.length()).isLessThan(1_000_000);
        assertThat(json("/statusz?format=json&problem=true").path("pools")).hasSize(1);
        assertThat(json("/statusz?format=json&service=team-77/web").path("pools"))
                .hasSize(1);
        assertThat(json("/statusz?format=json&limit=20000").path("pools")).hasSize(10_001);
        assertThat(get("/statusz?service=" + "%22%3E%3Cscript%3E").body()).doesNotContain("<script>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/statusz?format=text",
                "/statusz?format=json",
                "/statusz",
                "/statusz?node=n1",
                "/livez?verbose",
                "/readyz",
                "/metrics",
                "/nothing"
            })
    void every_page_is_safe_to_print(String path) throws Exception {
        ready = List.of(new Check("synced", HostileText.SHORT));

        HostileText.assertSafe(get(path).body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json", "html"})
    void what_a_request_asks_for_comes_back_safely(String format) throws Exception {
        pools = List.of();
        String hostile = URLEncoder.encode(HostileText.SHORT, StandardCharsets.UTF_8);

        HostileText.assertSafe(get("/statusz?format=%s&service=%s&node=%s".formatted(format, hostile, hostile))
                .body());
    }

    @Test
    @Rule(
            id = "O6",
            says = "The status page escapes every name and message; it runs one script, its own, and loads nothing"
                    + " else.",
            source = "")
    void hostile_names_are_escaped() throws Exception {
        String page = get("/statusz").body().replace("<script src=\"/status.js\"></script>", "");
        assertThat(page)
                .contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
                .doesNotContain("<script", "<img", "src=\"", "href=", "url(");
    }

    /** Requests that are being answered, until the latch opens. */
    private List<CompletableFuture<Integer>> held(String path, int count, CountDownLatch open) throws Exception {
        CountDownLatch arrived = new CountDownLatch(count);
        Runnable hold = () -> {
            arrived.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        if (path.equals("/metrics")) {
            beforeScrape = hold;
        } else {
            beforeStatus = hold;
        }
        URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
        List<CompletableFuture<Integer>> answers = IntStream.range(0, count)
                .mapToObj(
                        i -> client.sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                                .thenApply(HttpResponse::statusCode))
                .toList();
        arrived.await();
        return answers;
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void scrapes_and_pages_do_not_take_each_others_places() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        List<CompletableFuture<Integer>> pagesInWork = held("/statusz", 4, open);
        assertThat(get("/statusz").statusCode()).as("the fifth").isEqualTo(503);
        assertThat(get("/").statusCode()).as("the same page").isEqualTo(503);
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").statusCode()).isEqualTo(200);

        List<CompletableFuture<Integer>> scrapes = held("/metrics", 2, open);
        assertThat(get("/metrics").statusCode()).as("the third").isEqualTo(503);
        open.countDown();
        for (CompletableFuture<Integer> answer :
                Stream.concat(pagesInWork.stream(), scrapes.stream()).toList()) {
            assertThat(answer.join()).isEqualTo(200);
        }
        assertThat(get("/statusz").statusCode()).isEqualTo(200);
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/statusz"})
    void a_page_that_fails_gives_its_place_back(String path) throws Exception {
        Runnable failing = () -> {
            throw new IllegalStateException("planted");
        };
        beforeStatus = failing;
        beforeScrape = failing;
        for (int i = 0; i < 6; i++) {
            assertThat(get(path).statusCode()).isEqualTo(500);
        }
        beforeStatus = () -> {};
        beforeScrape = () -> {};
        assertThat(get(path).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "/, 200, text/html; charset=utf-8",
        "/statusz, 200, text/html; charset=utf-8",
        "/statusz?format=json, 200, application/json",
        "/statusz?format=text, 200, text/plain; charset=utf-8",
        "/status.js, 200, text/javascript",
        "/metrics, 200, text/plain; version=0.0.4; charset=utf-8",
        "/livez, 200, text/plain; charset=utf-8",
        "/readyz, 503, text/plain; charset=utf-8",
        "/Livez, 404, text/plain; charset=utf-8",
        "/statusz/, 404, text/plain; charset=utf-8",
        "/status.css, 404, text/plain; charset=utf-8"
    })
    void each_page_has_its_type_and_the_same_head(String path, int status, String type) throws Exception {
        ready = List.of(new Check("synced", "no list of Nodes yet"));
        HttpResponse<byte[]> whole = client.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + server.address().getPort() + path))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        HttpResponse<String> head = send("HEAD", path);

        assertThat(whole.statusCode()).isEqualTo(status);
        assertThat(whole.headers().firstValue("content-type")).hasValue(type);
        assertThat(whole.body()).isNotEmpty();
        assertThat(head.statusCode()).isEqualTo(status);
        assertThat(head.headers().firstValue("content-type")).hasValue(type);
        assertThat(head.headers().firstValue("content-length")).hasValue(Integer.toString(whole.body().length));
    }

    @Test
    void the_script_is_the_one_of_the_page() throws Exception {
        assertThat(get("/status.js").body())
                .isEqualTo(new String(StatusHtml.script(), StandardCharsets.UTF_8))
                .contains("data-live");
    }

    @Test
    void a_refusal_or_fault_is_told_in_a_line() throws Exception {
        beforeStatus = () -> {
            throw new IllegalStateException("secret");
        };

        assertThat(send("POST", "/livez").body()).isEqualTo("only GET and HEAD are allowed\n");
        assertThat(send("POST", "/livez").headers().firstValue("connection")).hasValue("close");
        assertThat(get("/none").body()).isEqualTo("not found; available: /livez, /readyz, /metrics and /statusz\n");
        assertThat(send("POST", "/none").statusCode()).isEqualTo(404);
        assertThat(get("/statusz").body()).isEqualTo("this page failed, see the log\n");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
        -,    -,                                text/html
        -,    */*,                              text/html
        -,    application/json,                 application/json
        -,    'application/json, text/plain',   application/json
        -,    'application/json, text/html',    text/html
        json, text/html,                        application/json
        json, -,                                application/json
        text, application/json,                 text/plain
        html, application/json,                 text/html
        xml,  application/json,                 text/html
        JSON, application/json,                 text/html
        """)
    void the_format_is_the_one_asked_for_or_accepted(@Nullable String format, @Nullable String accept, String type)
            throws Exception {
        String path = "/statusz" + (format == null ? "" : "?format=" + format);

        HttpResponse<String> answer = accept == null ? get(path) : get(path, "Accept", accept);

        assertThat(answer.headers().firstValue("content-type").orElseThrow()).startsWith(type);
    }

    /** There are four pools, two of them not in step. */
    @ParameterizedTest
    @CsvSource({
        "'', 4, 4",
        "limit=3, 3, 4",
        "limit=1, 1, 4",
        "limit=0, 1, 4",
        "limit=-7, 1, 4",
        "limit=, 4, 4",
        "limit=some, 4, 4",
        "limit=99999999999, 4, 4",
        "problem=true, 2, 2",
        "problem=1, 2, 2",
        "problem=false, 4, 4",
        "problem=, 4, 4",
        "problem, 4, 4",
        "problem=true&limit=1, 1, 2",
        "limit=1&limit=3, 1, 4",
        "service=team-1/web, 1, 1",
        "service=team-, 2, 2",
        "service=+team-1%2Fweb+, 1, 1",
        "%73ervice=team-1/web, 1, 1",
        "service=100%, 0, 0",
        "service=%zz, 0, 0",
        "service=team-1/web&problem=true, 0, 0",
        "a&b&c&d&e&f&g&h&limit=3, 3, 4"
    })
    void what_is_asked_for_is_shown(String query, int shown, int matching) throws Exception {
        pools = List.of(Statuses.parked(), Statuses.inStep(1), Statuses.outage(), Statuses.inStep(2));
        Request request = Request.of(query, "application/json");

        JsonNode status = JsonMapper.builder()
                .build()
                .readTree(new StatusPage(() -> Statuses.with(pools), (service, pool, node) -> Optional.empty())
                        .answer(request)
                        .body());

        assertThat(status.path("pools")).hasSize(shown);
        assertThat(status.path("poolsMatching").asInt()).isEqualTo(matching);
        assertThat(status.path("poolsInAll").asInt()).isEqualTo(4);
    }

    @Test
    void at_most_twenty_thousand_pools_are_shown() throws Exception {
        List<PoolStatus> many = Statuses.inStep(0, 20_001);
        Page page = new StatusPage(() -> Statuses.with(many), (service, pool, node) -> Optional.empty());

        JsonNode status = JsonMapper.builder()
                .build()
                .readTree(
                        page.answer(Request.of("format=json&limit=30000", null)).body());

        assertThat(status.path("pools")).hasSize(20_000);
    }

    @Test
    void the_text_explains_the_service_that_is_asked_for() throws Exception {
        assertThat(get("/statusz?format=text&service=shop/none").body()).contains("shop/none has no pool: ");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
        -,  -,  10, 60
        5,  -,  5,  60
        -,  7,  10, 7
        5,  7,  5,  7
        """)
    void slow_clients_are_limited_unless_the_command_line_says_otherwise(
            @Nullable String request, @Nullable String response, String requestLimit, String responseLimit) {
        Map<String, @Nullable String> limits = new HashMap<>();
        limits.put("sun.net.httpserver.maxReqTime", request);
        limits.put("sun.net.httpserver.maxRspTime", response);
        Map<String, @Nullable String> before = new HashMap<>();
        limits.keySet().forEach(name -> before.put(name, System.getProperty(name)));
        try {
            limits.forEach(AdminServerTest::set);

            AdminServer.limitSlowClients();

            assertThat(System.getProperty("sun.net.httpserver.maxReqTime")).isEqualTo(requestLimit);
            assertThat(System.getProperty("sun.net.httpserver.maxRspTime")).isEqualTo(responseLimit);
        } finally {
            before.forEach(AdminServerTest::set);
        }
    }

    private static void set(String name, @Nullable String value) {
        if (value == null) {
            System.clearProperty(name);
        } else {
            System.setProperty(name, value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "service", "service=", "service=%20", "service=+&service=shop"})
    void a_blank_parameter_counts_as_absent(String query) {
        assertThat(Request.of(query, null).value("service")).isEmpty();
    }
}
