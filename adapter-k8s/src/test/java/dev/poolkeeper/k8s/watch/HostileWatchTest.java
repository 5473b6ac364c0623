package dev.poolkeeper.k8s.watch;

import static dev.poolkeeper.k8s.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.contract.ObservedCluster;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An API server with hostile watches: each stream brings a malformed line and then a valid one, whose Service must
 * become known, from the stream or from the list that follows.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileWatchTest {

    private static final int CASES = Integer.getInteger("fuzz.cases", 80);
    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final String GOOD = """
        {"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"shop",\
        "resourceVersion":"9","uid":"u","labels":{"a":"b"}},"spec":{"type":"LoadBalancer",\
        "externalTrafficPolicy":"Local","ipFamilies":["IPv4"],"ports":[{"port":80}]}}}\
        """;
    private static final List<String> TOKENS = List.of(
            "[".repeat(100_000),
            "{\"object\":".repeat(5_000),
            "9".repeat(5_000),
            "\"name\":null,",
            "\"metadata\":7,",
            "\"kind\":\"Status\",\"code\":410,",
            "\"kind\":\"Nobody\",",
            "\"type\":\"ERROR\",",
            "\"resourceVersion\":\"9 9\",",
            "\"ports\":{},",
            "\"name\":\"" + "n".repeat(100_000) + "\",",
            "\\u0000",
            "\ud800",
            "}",
            "{",
            "null",
            "\n");

    private final FakeTime time = new FakeTime();
    private final ObservedCluster observed = new ObservedCluster();
    private final AtomicReference<byte[]> hostile = new AtomicReference<>(new byte[0]);
    private final AtomicReference<String> name = new AtomicReference<>("first");
    /** Further Services of a list, with a comma after them. */
    private final AtomicReference<String> listed = new AtomicReference<>("");

    /** The whole body of a list of Services instead, if not empty. */
    private final AtomicReference<String> body = new AtomicReference<>("");

    private final List<String> queries = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        client = KubernetesClients.forObjects(ApiServer.at(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort())));
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        boolean services = exchange.getRequestURI().getPath().endsWith("/services");
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        queries.add(query);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            if (!query.contains("watch=true") && services && !body.get().isEmpty()) {
                out.write(body.get().getBytes(StandardCharsets.UTF_8));
            } else if (!query.contains("watch=true")) {
                String item = services && hostile.get().length > 0 ? listed.get() + object() : "";
                out.write(
                        ("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":["
                                        + item + "]}")
                                .getBytes(StandardCharsets.UTF_8));
            } else if (services) {
                out.write(hostile.get());
                out.write(("\n{\"type\":\"ADDED\",\"object\":" + object() + "}\n").getBytes(StandardCharsets.UTF_8));
            }
        } // and the stream ends
    }

    private String object() {
        return GOOD.substring(GOOD.indexOf("{\"apiVersion"), GOOD.length() - 1).replace("\"web\"", "\"" + name + "\"");
    }

    private static byte[] mutated(Random random) {
        byte[] bytes = GOOD.getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(bytes.length + 1);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(bytes, 0, at);
            int skip = 0;
            switch (random.nextInt(4)) {
                case 0 ->
                    out.writeBytes(TOKENS.get(random.nextInt(TOKENS.size())).getBytes(StandardCharsets.UTF_8));
                case 1 -> skip = random.nextInt(20);
                case 2 -> out.write(random.nextInt(256));
                default -> {
                    // a key gets the value of another one
                    String text = new String(bytes, StandardCharsets.ISO_8859_1);
                    int colon = text.indexOf(':', at);
                    if (colon > 0) {
                        out.write(bytes, at, colon + 1 - at);
                        out.writeBytes(TOKENS.get(random.nextInt(TOKENS.size())).getBytes(StandardCharsets.UTF_8));
                        skip = colon + 1 - at;
                    }
                }
            }
            int from = Math.min(bytes.length, at + skip);
            out.write(bytes, from, bytes.length - from);
            bytes = out.toByteArray();
        }
        return bytes;
    }

    @Test
    @Rule(
            id = "X10",
            says = "Whatever a watch sends, later events are still processed, from the watch or from a new list.",
            source = "ours")
    void events_after_a_malformed_one_are_still_processed() {
        WatchSettings settings = new WatchSettings(
                100, Duration.ofMinutes(2), Duration.ofHours(1), Duration.ofMillis(800), Duration.ofSeconds(30));
        try (ClusterWatcher watcher = new ClusterWatcher(client, settings, time, observed)) {
            watcher.start();
            until(time, "synced", watcher::hasSynced);
            for (long seed = SEED; seed < SEED + CASES; seed++) {
                String service = "s" + seed;
                hostile.set(mutated(new Random(seed)));
                name.set(service);
                try {
                    until(time, "seed " + seed, () -> {
                        time.advance(Duration.ofSeconds(10));
                        return observed.find("Service shop/" + service).isPresent();
                    });
                } catch (AssertionError e) {
                    throw new AssertionError(
                            "seed " + seed + ", " + watcher.statuses() + ", "
                                    + new String(hostile.get(), StandardCharsets.UTF_8),
                            e);
                }
            }
        }
        assertThat(observed.calls().size()).isGreaterThanOrEqualTo(CASES);
    }

    @Test
    void an_endless_line_ends_the_watch() {
        hostile.set("[".repeat(17 << 20).getBytes(StandardCharsets.UTF_8));
        name.set("after");
        WatchSettings settings = new WatchSettings(
                100, Duration.ofMinutes(2), Duration.ofHours(1), Duration.ofMillis(800), Duration.ofSeconds(30));
        try (ClusterWatcher watcher = new ClusterWatcher(client, settings, time, observed)) {
            watcher.start();
            until(time, "given up", () -> {
                time.advance(Duration.ofMillis(10));
                return watcher.statuses().stream()
                        .anyMatch(status -> status.lastError().orElse("").contains("a line of more than"));
            });
        }
    }

    @Test
    void an_object_that_is_deleted_among_the_initial_events_never_existed() {
        // given
        name.set("gone");
        String gone = object();
        name.set("there");
        hostile.set("""
            {"type":"ADDED","object":%1$s}
            {"type":"DELETED","object":%1$s}
            {"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Service","metadata":{"resourceVersion":"10",\
            "annotations":{"k8s.io/initial-events-end":"true"}}}}\
            """.formatted(gone).getBytes(StandardCharsets.UTF_8));
        // when
        try (ClusterWatcher watcher = new ClusterWatcher(client, WatchSettings.DEFAULT, time, observed)) {
            watcher.start();
            until(time, "there", () -> observed.find("Service shop/there").isPresent());
        }
        // then
        assertThat(observed.calls()).containsExactly("changed Service shop/there");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "code":500,"message":"no leader"  | HTTP 500: no leader
        "code":503,"message":"no leader"  | HTTP 503: no leader
        "code":null,"message":"no leader" | HTTP 500: no leader
        "message":"no leader"             | HTTP 500: no leader
        """)
    void an_error_in_a_watch_is_a_failure_of_the_watch_with_or_without_a_code(String fields, String expected) {
        hostile.set("""
            {"type":"ERROR","object":{"apiVersion":"v1","kind":"Status","status":"Failure",%s}}\
            """.formatted(fields).getBytes(StandardCharsets.UTF_8));
        try (ClusterWatcher watcher = new ClusterWatcher(client, WatchSettings.DEFAULT, time, observed)) {
            watcher.start();
            until(time, "an error", () -> services(watcher).lastError().isPresent());
            assertThat(services(watcher).lastError().orElseThrow())
                    .startsWith("watch at ")
                    .endsWith(expected);
        }
    }

    private static final String TENANT = """
        {"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"tenant","uid":"t",\
        "resourceVersion":"8"%s},"spec":{"type":"LoadBalancer","externalTrafficPolicy":"Local"%s}}\
        """;

    /** A key of managedFields as long as the uid of an owner, which the API server does not limit. */
    private static String withALongName() {
        return TENANT.formatted("""
            ,"managedFields":[{"fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:ownerReferences":{\
            "k:{\\"uid\\":\\"%s\\"}":{}}}}}]\
            """.formatted("a".repeat(60_000)), "");
    }

    /** 4,096 names of the same length and hash code, whatever the seed of Jackson's tables. */
    private static String withNamesOfOneHash() {
        String names = IntStream.range(0, 4_096)
                .mapToObj(number -> "\""
                        + Integer.toBinaryString(4_096 + number)
                                .replace("0", "ab")
                                .replace("1", "bA") + "\":\"\"")
                .collect(Collectors.joining(","));
        return TENANT.formatted(",\"annotations\":{" + names + "}", "");
    }

    /** As deep as the API server reads them. */
    private static String withDeepManagedFields() {
        return TENANT.formatted(
                ",\"managedFields\":[{\"fieldsType\":\"FieldsV1\",\"fieldsV1\":" + "{\"f:a\":".repeat(9_900) + "{}"
                        + "}".repeat(9_900) + "}]",
                "");
    }

    private static List<String> objectsThatCanBeRead() {
        return List.of(withALongName(), withNamesOfOneHash(), withDeepManagedFields());
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("objectsThatCanBeRead")
    @Rule(
            id = "X26",
            says = "Neither the length nor the hash codes of the names in an object, nor how deep its fields are,"
                    + " keep it, or any other object, from being read.",
            source = "ours")
    void names_chosen_by_a_tenant_are_read_from_a_watch_and_from_a_list(String tenant) {
        for (boolean fromList : new boolean[] {false, true}) {
            // given
            String suffix = fromList ? "-listed" : "-watched";
            String renamed = tenant.replace("\"web\"", "\"web" + suffix + "\"");
            name.set("first" + suffix);
            listed.set(fromList ? renamed + "," : "");
            hostile.set((fromList ? "null" : "{\"type\":\"ADDED\",\"object\":" + renamed + "}")
                    .getBytes(StandardCharsets.UTF_8));
            // when
            try (ClusterWatcher watcher = new ClusterWatcher(client, WatchSettings.DEFAULT, time, observed)) {
                watcher.start();
                until(time, "both" + suffix, () -> {
                    time.advance(Duration.ofSeconds(10));
                    return observed.find("Service shop/first" + suffix).isPresent()
                            && observed.find("Service tenant/web" + suffix).isPresent();
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule(
            id = "X27",
            says = "An object that cannot be read keeps the state it had, or else counts as absent, and is named in the"
                    + " log; all others are read, from the watch and from a list.",
            source = "ours")
    void an_object_that_cannot_be_read_hides_no_other(boolean fromList) {
        // given
        String unreadable = TENANT.formatted("", ",\"ports\":{}");
        name.set("known");
        listed.set(TENANT.formatted("", "") + ",");
        hostile.set("null".getBytes(StandardCharsets.UTF_8));
        try (ClusterWatcher watcher = new ClusterWatcher(client, WatchSettings.DEFAULT, time, observed)) {
            watcher.start();
            until(time, "known", () -> isKnown("Service shop/known") && isKnown("Service tenant/web"));
            // when
            listed.set(unreadable + "," + unreadable.replace("\"web\"", "\"new\"") + ",");
            hostile.set((fromList ? "null" : "{\"type\":\"MODIFIED\",\"object\":" + unreadable + "}")
                    .getBytes(StandardCharsets.UTF_8));
            name.set("first");
            // then
            until(time, "another", () -> isKnown("Service shop/first"));
            assertThat(isKnown("Service tenant/web")).isTrue(); // as it was before
            assertThat(isKnown("Service tenant/new")).isFalse();
            // when
            listed.set("");
            hostile.set((fromList ? "null" : "{\"type\":\"DELETED\",\"object\":" + unreadable + "}")
                    .getBytes(StandardCharsets.UTF_8));
            // then
            until(time, "gone", () -> !isKnown("Service tenant/web"));
        }
    }

    private boolean isKnown(String object) {
        time.advance(Duration.ofSeconds(10));
        return observed.find(object).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'metadata':{'resourceVersion':'2'}}",
                "{'metadata':{'resourceVersion':'2'},'items':{}}",
                "{'metadata':{'resourceVersion':'2'},'items':[]",
                "{'metadata':{'resourceVersion':'2'},'items':[]}{",
                "{'metadata':{},'items':[]}",
                "{'metadata':{'resourceVersion':'2'},'items':[],'items':[]}",
                "[]"
            })
    void a_list_that_is_none_deletes_nothing(String page) {
        // given
        name.set("known");
        hostile.set("null".getBytes(StandardCharsets.UTF_8));
        try (ClusterWatcher watcher = new ClusterWatcher(client, WatchSettings.DEFAULT, time, observed)) {
            watcher.start();
            until(time, "known", () -> isKnown("Service shop/known"));
            // when
            body.set(page.replace('\'', '"'));
            until(
                    time,
                    "an error",
                    () -> isKnown("Service shop/known")
                            && services(watcher).lastError().orElse("").startsWith("list at "));
            // then
            assertThat(isKnown("Service shop/known")).isTrue();
        }
    }

    private static WatchStatus services(ClusterWatcher watcher) {
        return watcher.statuses().stream()
                .filter(status -> status.kind().equals("Service"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"0, 300", "0.5, 450", "0.999, 599"})
    void a_watch_asks_for_five_to_ten_minutes(double draw, int seconds) {
        time.willDraw(draw);
        try (ClusterWatcher watcher = new ClusterWatcher(client, WatchSettings.DEFAULT, time, observed)) {
            watcher.start();
            until(time, "synced", () -> {
                time.advance(Duration.ofSeconds(1));
                return watcher.hasSynced();
            });
        }
        assertThat(queries)
                .filteredOn(query -> query.contains("watch=true"))
                .isNotEmpty()
                .allMatch(query -> query.endsWith("&timeoutSeconds=" + seconds));
    }
}
