package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.policies.PolicyDefaults;
import dev.poolkeeper.input.policies.PolicyManifests;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the gateway sends and reads, byte by byte, and what it holds on to. Lines end with a | here. */
@Timeout(60)
class GatewayWireTest {

    private static final String RETRIES = """
        apiVersion: gateway.networking.k8s.io/v1
        kind: HTTPRoute
        metadata: {name: web}
        spec:
          rules:
          - backendRefs: [{name: web, port: 80}]
            retry: {codes: [413, 429, 500, 503], attempts: 2, backoff: 50ms}
        """;
    private static final String OK = "HTTP/1.1 200 OK|Content-Length: 2||ok";

    private final FakeTime time = new FakeTime();
    private final Budgets budgets = new Budgets(time);
    private final GatewayMetrics metrics = new GatewayMetrics(budgets::status);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ServerSocket backend = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final List<Duration> times = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    GatewayWireTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        closed.countDown();
        backend.close();
        threads.shutdownNow();
    }

    /** The backend's side of one connection, once it has read a head. */
    private interface Side {
        void answer(InputStream in, OutputStream out, Socket socket) throws IOException, InterruptedException;
    }

    private void backend(Side side) {
        Future<?> unusedAccepting = threads.submit(() -> {
            while (true) {
                Socket socket = backend.accept();
                Future<?> unusedServing = threads.submit(() -> {
                    try (socket) {
                        InputStream in = new BufferedInputStream(socket.getInputStream());
                        for (String head = head(in); !head.isEmpty(); head = head(in)) {
                            heads.add(head);
                            times.add(Duration.between(FakeTime.START, time.instant()));
                            side.answer(in, socket.getOutputStream(), socket);
                        }
                    }
                    return null;
                });
            }
        });
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", head.length() - 4) < 0) { // what follows may be long
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static byte[] bytes(String text) {
        return text.replace("|", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private RetryGateway gateway(String manifests) throws Exception {
        Path file = Files.writeString(folder.resolve("routes.yaml"), manifests);
        RoutingTable table = RoutingTable.of(
                PolicyManifests.read(List.of(file), PolicyDefaults.GATEWAY),
                List.of(new BackendAddress("", "web", "127.0.0.1:" + backend.getLocalPort())),
                budgets);
        return RetryGateway.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> table, metrics, time);
    }

    private static Socket client(RetryGateway gateway) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), gateway.address().getPort());
    }

    /** The whole response to some bytes, after which the client sends no more. */
    private static String exchange(RetryGateway gateway, String request) throws IOException {
        try (Socket socket = client(gateway)) {
            socket.getOutputStream().write(bytes(request));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, false",
        "HEAD, false",
        "DELETE, false",
        "OPTIONS, false",
        "TRACE, false",
        "PROPFIND, false",
        "POST, true",
        "PUT, true",
        "PATCH, true"
    })
    @Rule(
            id = "P184",
            says = "A request without content has no Content-Length at the backend, unless its method is POST, PUT or"
                    + " PATCH.",
            source = "RFC 9110, section 8.6")
    void a_request_without_content_has_no_length(String method, boolean hasLength) throws Exception {
        backend((in, out, socket) -> out.write(bytes("HTTP/1.1 204 ok||")));
        try (RetryGateway gateway = gateway(RETRIES)) {
            for (String sent : List.of("", "Content-Length: 0|", "Transfer-Encoding: chunked|")) {
                heads.clear();
                String end = sent.startsWith("T") ? "|0||" : "|";
                assertThat(exchange(gateway, method + " / HTTP/1.1|Host: a|" + sent + end))
                        .startsWith("HTTP/1.1 204 ");
                assertThat(heads).singleElement().asString().startsWith(method + " / HTTP/1.1\r\nHost: a\r\n");
                assertThat(heads.get(0).contains("\r\nContent-Length: 0\r\n")).isEqualTo(hasLength);
                assertThat(heads.get(0).toLowerCase(java.util.Locale.ROOT)).doesNotContain("transfer-encoding");
            }
        }
    }

    private enum Early {
        /** Answers and reads no more. */
        HOLD {
            @Override
            void after(InputStream in, Socket socket, CountDownLatch closed) throws InterruptedException {
                closed.await();
            }
        },
        /** Answers and reads everything. */
        DRAIN {
            @Override
            void after(InputStream in, Socket socket, CountDownLatch closed) throws IOException {
                socket.shutdownOutput();
                in.transferTo(OutputStream.nullOutputStream());
            }
        },
        /** Answers and resets the connection. */
        RESET {
            @Override
            void after(InputStream in, Socket socket, CountDownLatch closed) throws IOException {
                socket.close(); // with unread bytes
            }
        };

        abstract void after(InputStream in, Socket socket, CountDownLatch closed)
                throws IOException, InterruptedException;
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "P186",
            says = "A response that comes before the end of the request's body is delivered at once.",
            source = "RFC 9112, section 9.3")
    void an_early_response_is_delivered_at_once(Early how) throws Exception {
        backend((in, out, socket) -> {
            out.write(bytes("HTTP/1.1 413 Too Large|Content-Length: 3||big"));
            how.after(in, socket, closed);
        });
        try (RetryGateway gateway = gateway(RETRIES);
                Socket socket = client(gateway)) {
            int length = 64 << 20; // more than all buffers hold
            Future<?> unusedSending = threads.submit(() -> {
                OutputStream out = socket.getOutputStream();
                out.write(bytes("POST /x HTTP/1.1|Host: a|Content-Length: " + length + "||"));
                byte[] piece = new byte[1 << 16];
                for (int i = 0; i < length; i += piece.length) {
                    out.write(piece);
                }
                return null;
            });
            InputStream in = new BufferedInputStream(socket.getInputStream());
            assertThat(head(in)).startsWith("HTTP/1.1 413 Too Large\r\n").contains("x-poolkeeper-attempts: 1\r\n");
            assertThat(new String(in.readNBytes(3), StandardCharsets.US_ASCII)).isEqualTo("big");
            assertThat(times).containsExactly(Duration.ZERO);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "503, 2, 2000",
        "429, 7, 7000",
        "503, 0, 75",
        "503, -5, 75",
        "503, soon, 75",
        "500, 'Sun, 01 Mar 2026 12:00:09 GMT', 9000",
        "404, 2, -1",
        "503, 61, -1",
        "503, 99999999999999999999, -1"
    })
    @Rule(
            id = "P187",
            says = "At retry-gateway, too, a Retry-After on a status that is retried is the shortest wait. If it"
                    + " exceeds the request's timeout, the client gets 504 at once; if it exceeds a minute, the"
                    + " backend's response.",
            source = "RFC 9110, section 10.2.3")
    void retry_after_is_the_shortest_wait(int status, String retryAfter, int waitMillis) throws Exception {
        backend((in, out, socket) -> out.write(bytes(
                heads.size() == 1
                        ? "HTTP/1.1 " + status + " X|retry-after: " + retryAfter + "|Content-Length: 0||"
                        : OK)));
        try (RetryGateway gateway = gateway(RETRIES)) {
            String answer = exchange(gateway, "GET / HTTP/1.1|Host: a||");
            if (waitMillis < 0) {
                assertThat(answer).startsWith("HTTP/1.1 " + status + " X\r\n").contains("retry-after: " + retryAfter);
                assertThat(times).containsExactly(Duration.ZERO);
            } else {
                assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n");
                assertThat(times).hasSize(2);
                assertThat(times.get(1)).isEqualTo(Duration.ofMillis(waitMillis));
            }
        }
    }

    @Test
    void a_retry_after_beyond_the_requests_timeout_ends_it() throws Exception {
        backend((in, out, socket) -> out.write(bytes("HTTP/1.1 503 X|Retry-After: 2|Content-Length: 0||")));
        try (RetryGateway gateway = gateway(RETRIES + "    timeouts: {request: 1s, backendRequest: 1s}\n")) {
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||")).startsWith("HTTP/1.1 504 ");
            assertThat(times).containsExactly(Duration.ZERO);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 3||abc",
                "HTTP/1.1 200 OK|Content-Length: 3|Transfer-Encoding: chunked||3|abc|0||",
                "HTTP/1.1 503 OK|Transfer-Encoding: \u000bchunked||3|abc|0||",
                "HTTP/1.1 200 OK|Transfer-Encoding: gzip||abc",
                "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                "no HTTP||"
            })
    @Rule(
            id = "P188",
            says = "A backend's response that is not valid HTTP is not retried: it was one.",
            source = "ours")
    void an_ambiguous_response_is_not_retried(String answer) throws Exception {
        backend((in, out, socket) -> {
            out.write(bytes(answer));
            socket.shutdownOutput();
        });
        try (RetryGateway gateway = gateway(RETRIES)) {
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||")).startsWith("HTTP/1.1 502 ");
            assertThat(heads).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: \u000bchunked||3|abc|0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked\u000b||3|abc|0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding : chunked||3|abc|0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked|Content-Length: 3||3|abc|0||",
                "GET / HTTP/1.1|Host: a\nX: b||",
                "GET / HTTP/1.1\nHost: a||",
                "GET / HTTP/1.1|Host: a|\n",
                "GET / HTTP/1.1|Host: a\rX: b||",
                "GET / HTTP/1.1|Host: a|X: \u007f||",
                "GET /  HTTP/1.1|Host: a||",
                "GET / x HTTP/1.1|Host: a||",
                "GET / HTTP/1.1 |Host: a||",
                "GET / http/1.1|Host: a||",
                "GET\t/ HTTP/1.1|Host: a||",
                "GET / HTTP/1.1|Host: a",
                "GET / HTTP/1.1|Host: a|"
            })
    @Rule(
            id = "P189",
            says = "retry-gateway reads heads strictly: lines end with CR and LF, a field's name stands right before"
                    + " its colon, a value has no control characters, and a head is complete.",
            source = "RFC 9112, sections 2.2 and 5")
    void a_loose_head_is_refused(String request) throws Exception {
        backend((in, out, socket) -> out.write(bytes(OK)));
        try (RetryGateway gateway = gateway(RETRIES)) {
            assertThat(exchange(gateway, request)).startsWith("HTTP/1.1 400 ");
            assertThat(heads).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "X-Foo, x-foo",
        "x-foo, X-Foo",
        "'close, X-FOO', x-Foo",
        "'keep-alive,x-foo', X-foo",
        "'a,, X-Foo ,b', X-FOO"
    })
    void fields_named_by_connection_are_for_this_connection_alone(String option, String name) throws Exception {
        backend((in, out, socket) -> out.write(bytes(
                "HTTP/1.1 200 OK|CONNECTION: " + option + "|" + name + ": secret|X-Bar: 1|Content-Length: 2||ok")));
        try (RetryGateway gateway = gateway(RETRIES)) {
            String answer = exchange(
                    gateway, "GET / HTTP/1.1|Host: a|connection: " + option + "|" + name + ": secret|X-Bar: 1||");
            assertThat(answer)
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("X-Bar: 1\r\n")
                    .doesNotContain("secret");
            assertThat(heads)
                    .singleElement()
                    .asString()
                    .contains("X-Bar: 1\r\n")
                    .doesNotContain("secret");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Keep-Alive",
                "PROXY-AUTHENTICATE",
                "proxy-authorization",
                "Proxy-Connection",
                "te",
                "TRAILER",
                "Upgrade"
            })
    void fields_of_a_single_connection_are_not_forwarded(String name) throws Exception {
        backend((in, out, socket) ->
                out.write(bytes("HTTP/1.1 200 OK|" + name + ": secret|X-Bar: 1|Content-Length: 2||ok")));
        try (RetryGateway gateway = gateway(RETRIES)) {
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a|" + name + ": secret|X-Bar: 1||"))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("X-Bar: 1\r\n")
                    .doesNotContain("secret");
            assertThat(heads)
                    .singleElement()
                    .asString()
                    .contains("X-Bar: 1\r\n")
                    .doesNotContain("secret");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "web.example, true",
        "WEB.Example, true",
        "web.example:80, true",
        "web.example.:8080, true",
        "web.example., true",
        "web.example.., false",
        "other.example, false",
        "[::1]:80, false",
        "[::1], false",
        "xweb.example, false"
    })
    void a_host_is_a_name_in_any_case_with_or_without_port_and_last_dot(String host, boolean matches) throws Exception {
        backend((in, out, socket) -> out.write(bytes(OK)));
        try (RetryGateway gateway = gateway(RETRIES.replace("spec:", "spec:\n  hostnames: [web.example]"))) {
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: " + host + "||"))
                    .startsWith(matches ? "HTTP/1.1 200 " : "HTTP/1.1 404 ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://web.example/, other.example, 200",
        "HTTP://WEB.Example.:80, other.example, 200",
        "http://other.example/, web.example, 404"
    })
    void the_host_of_an_absolute_target_is_the_one_that_routes_match(String target, String host, int status)
            throws Exception {
        backend((in, out, socket) -> out.write(bytes(OK)));
        try (RetryGateway gateway = gateway(RETRIES.replace("spec:", "spec:\n  hostnames: [web.example]"))) {
            assertThat(exchange(gateway, "GET " + target + " HTTP/1.1|Host: " + host + "||"))
                    .startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/admin, /admin, 503",
        "/%61dmin, /admin, 503",
        "/%61%64%6D%69%6e/x%7Ey, /admin/x~y, 503",
        "/admin/%2e%2E%2e, /admin/..., 503",
        "/admin%2Fx, /admin%2Fx, 200",
        "/%2561dmin, /%2561dmin, 200",
        "/admin;x, /admin;x, 200",
        "/Admin, /Admin, 200",
        "/x//admin, /x//admin, 200"
    })
    @Rule(
            id = "P190",
            says = "retry-gateway matches and forwards a path without needless escapes; nothing else of it is"
                    + " normalised.",
            source = "RFC 3986, section 6.2.2.2")
    void escapes_of_unreserved_characters_do_not_hide_a_path(String target, String forwarded, int status)
            throws Exception {
        backend((in, out, socket) -> out.write(bytes("HTTP/1.1 503 X|Content-Length: 0||")));
        String manifests = """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: web}
            spec:
              rules:
              - matches: [{path: {value: /admin}}]
                backendRefs: [{name: web, port: 80}]
                retry: {codes: [503], attempts: 1}
              - backendRefs: [{name: web, port: 80}]
            """;
        try (RetryGateway gateway = gateway(manifests)) {
            exchange(gateway, "GET " + target + " HTTP/1.1|Host: a||");
            assertThat(heads).hasSize(status == 503 ? 2 : 1); // only the rule for /admin retries
            assertThat(heads.get(0)).startsWith("GET " + forwarded + " HTTP/1.1\r\n");
        }
    }

    /** How an exchange may end, by whose fault. */
    private enum Ending {
        WELL(OK, "GET / HTTP/1.1|Host: a||", true),
        REFUSED(OK, "GET /../ HTTP/1.1|Host: a||", true),
        MALFORMED_BODY(OK, "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||x|", true),
        NOT_HTTP("nonsense||", "GET / HTTP/1.1|Host: a||", true),
        RETRIED("HTTP/1.1 503 Busy|Content-Length: 4||busy", "GET / HTTP/1.1|Host: a||", true),
        RETRIED_AFTER_A_LONG_RESPONSE(
                "HTTP/1.1 503 Busy|Content-Length: 200000||" + "x".repeat(200_000), "GET / HTTP/1.1|Host: a||", true),
        RETRIED_AFTER_CHUNKS(
                "HTTP/1.1 503 Busy|Transfer-Encoding: chunked||4|busy|0||", "GET / HTTP/1.1|Host: a||", true),
        RETRIED_UNTIL_THE_END("HTTP/1.1 503 Busy||busy", "POST / HTTP/1.1|Host: a|Content-Length: 3||abc", true),
        BROKEN_OFF("HTTP/1.1 200 OK|Content-Le", "GET / HTTP/1.1|Host: a||", true),
        BROKEN_OFF_IN_THE_BODY("HTTP/1.1 200 OK|Content-Length: 99999999||abc", "GET / HTTP/1.1|Host: a||", true),
        BROKEN_OFF_IN_A_CHUNK("HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|abc", "GET / HTTP/1.1|Host: a||", true),
        CLIENT_GONE_DURING_THE_RESPONSE("HTTP/1.1 200 OK||" + "x".repeat(8 << 20), "GET / HTTP/1.1|Host: a||", false),
        CLIENT_GONE_DURING_ITS_BODY(OK, "POST / HTTP/1.1|Host: a|Content-Length: 9999999||abc", false),
        CLIENT_GONE_DURING_A_STREAMED_BODY(
                OK, "POST / HTTP/1.1|Host: a|Content-Length: 9999999||" + "x".repeat(100_000), false);

        private final String answer;
        private final String request;
        private final boolean clientWaits;

        Ending(String answer, String request, boolean clientWaits) {
            this.answer = answer;
            this.request = request;
            this.clientWaits = clientWaits;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "P191",
            says = "However a request ends, its place, its share of the budget and its connections are given back.",
            source = "ours")
    void nothing_stays_taken_however_a_request_ends(Ending ending) throws Exception {
        backend((in, out, socket) -> {
            out.write(bytes(ending.answer));
            socket.shutdownOutput();
        });
        try (RetryGateway gateway = gateway(RETRIES + "    timeouts: {request: 1h, backendRequest: 1h}\n")) {
            int places = gateway.places();
            for (int i = 1; i <= 5; i++) {
                String counted = "\npoolkeeper_gateway_request_duration_seconds_count " + i + "\n";
                if (ending.clientWaits) {
                    exchange(gateway, ending.request);
                } else {
                    try (Socket socket = client(gateway)) {
                        socket.getOutputStream().write(bytes(ending.request));
                        await(() -> gateway.places() < places || metrics.text().contains(counted));
                        socket.setSoLinger(true, 0); // a reset
                    }
                }
                await(() -> gateway.places() == places);
            }
            await(() -> gateway.connections() <= 1);
            assertThat(gateway.places()).isEqualTo(places);
            assertThat(metrics.text())
                    .contains("\npoolkeeper_gateway_requests_in_progress 0\n")
                    .contains("\npoolkeeper_gateway_request_duration_seconds_count 5\n");
            assertThat(gateway.connections()).isLessThanOrEqualTo(1); // one may be kept
            assertThat(time.pending()).isZero(); // a timer would close a connection that has another request by then
        }
    }

    /** Gives up after a while, so that the assertion after it fails. */
    private static void await(BooleanSupplier condition) {
        Instant end = Instant.now().plusSeconds(20);
        while (!condition.getAsBoolean() && Instant.now().isBefore(end)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void connections_that_clients_closed_leave_room_for_others() throws Exception {
        backend((in, out, socket) -> out.write(bytes(OK)));
        try (RetryGateway gateway = gateway(RETRIES)) {
            for (int i = 0; i < 10_000; i++) { // as many as may be open
                try (Socket socket = client(gateway)) {
                    socket.setSoLinger(true, 0);
                }
            }
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||")).startsWith("HTTP/1.1 200 ");
        }
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource(delimiter = '~', textBlock = """
        GET /../ HTTP/1.1|Host: a||                            ~ ''                         ~ 400 Bad Request         ~ 0 ~ the path must begin with / and have no . or .. segments
        POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||x| ~ ''                         ~ 400 Bad Request         ~ 0 ~ the body is incomplete or malformed, or has trailers, which are not supported
        OPTIONS * HTTP/1.1|Host: a||                           ~ ''                         ~ 404 Not Found           ~ 0 ~ no route matches the request
        POST / HTTP/1.1|Host: a|Content-Length: 1073741825||   ~ ''                         ~ 413 Content Too Large   ~ 0 ~ the body is too large
        GET /LONG HTTP/1.1|Host: a||                           ~ ''                         ~ 414 URI Too Long        ~ 0 ~ the target is too long
        GET / HTTP/1.1|Host: a|X: LONG||                       ~ ''                         ~ '431 '                  ~ 0 ~ the headers are too many or too long
        GET /none HTTP/1.1|Host: a||                           ~ ''                         ~ 500 Internal Server Error ~ 0 ~ the rule cannot be applied: there is no --backend for Service none
        CONNECT a:443 HTTP/1.1|Host: a||                       ~ ''                         ~ 501 Not Implemented     ~ 0 ~ CONNECT is not supported
        GET / HTTP/1.1|Host: a||                               ~ nonsense||                 ~ 502 Bad Gateway         ~ 1 ~ the response of the backend is not valid HTTP
        GET / HTTP/1.1|Host: a||                               ~ HTTP/1.1 200 OK|Content-Le ~ 503 Service Unavailable ~ 2 ~ the backend closed the connection before it responded
        GET / HTTP/1.1|Host: a||                               ~ HTTP/1.1 503 X|Retry-After: 2|Content-Length: 0|| ~ 504 Gateway Timeout ~ 1 ~ the request timeout has expired
        GET / HTTP/2.0|Host: a||                               ~ ''                         ~ '505 '                  ~ 0 ~ only HTTP/1.1 and HTTP/1.0 are supported
        """)
    void an_answer_of_the_gateway_has_the_reason_of_its_status(
            String request, String answer, String line, int attempts, String text) throws Exception {
        backend((in, out, socket) -> {
            out.write(bytes(answer));
            socket.shutdownOutput();
        });
        String manifests = """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: web}
            spec:
              rules:
              - matches: [{path: {value: /none}}]
                backendRefs: [{name: none}]
              - backendRefs: [{name: web}]
                retry: {codes: [503], attempts: 1}
                timeouts: {request: 1s, backendRequest: 1s}
            """;
        try (RetryGateway gateway = gateway(manifests)) {
            String sent = request.replace("LONG", "x".repeat(MessageHead.LARGEST));
            String head = "HTTP/1.1 " + line + "|Content-Type: text/plain; charset=utf-8|x-poolkeeper-attempts: "
                    + attempts + "|" + (attempts == 0 ? "Connection: close|" : "");
            assertThat(exchange(gateway, sent))
                    .startsWith(new String(bytes(head), StandardCharsets.ISO_8859_1))
                    .contains("\r\nContent-Length: " + (text.length() + 1) + "\r\n")
                    .endsWith("\r\n\r\n" + text + "\n");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        HTTP/1.1 200 OK|Content-Length: 2||ok                    ~ GET / HTTP/1.1|Host: a|    ~ true  ~ HTTP/1.1 200 OK|ATTEMPT|Content-Length: 2|DATE||ok
        HTTP/1.1 200|Content-Length: 2||ok                       ~ GET / HTTP/1.1|Host: a|    ~ true  ~ HTTP/1.1 200 |ATTEMPT|Content-Length: 2|DATE||ok
        HTTP/1.1 200 OK|content-length: 2|Content-Length: 2||ok  ~ GET / HTTP/1.1|Host: a|    ~ true  ~ HTTP/1.1 200 OK|ATTEMPT|Content-Length: 2|DATE||ok
        HTTP/1.1 200 OK|date: then|Content-Length: 0||           ~ GET / HTTP/1.1|Host: a|    ~ true  ~ HTTP/1.1 200 OK|date: then|ATTEMPT|Content-Length: 0||
        HTTP/1.1 200 OK|X-Poolkeeper-Attempts: 9|Content-Length: 0|| ~ GET / HTTP/1.1|Host: a| ~ true ~ HTTP/1.1 200 OK|ATTEMPT|Content-Length: 0|DATE||
        HTTP/1.1 200 OK|Set-Cookie: a|set-cookie: b|Content-Length: 0|| ~ GET / HTTP/1.1|Host: a| ~ true ~ HTTP/1.1 200 OK|Set-Cookie: a|set-cookie: b|ATTEMPT|Content-Length: 0|DATE||
        HTTP/1.1 103 X|A: b||HTTP/1.1 100 X||HTTP/1.1 200 OK|Content-Length: 0|| ~ GET / HTTP/1.1|Host: a| ~ true ~ HTTP/1.1 200 OK|ATTEMPT|Content-Length: 0|DATE||
        HTTP/1.1 204 No|Content-Length: 0||                      ~ GET / HTTP/1.1|Host: a|    ~ true  ~ HTTP/1.1 204 No|ATTEMPT|DATE||
        HTTP/1.1 304 No|ETag: "e"|Content-Length: 500||          ~ GET / HTTP/1.1|Host: a|    ~ true  ~ HTTP/1.1 304 No|ETag: "e"|Content-Length: 500|ATTEMPT|DATE||
        HTTP/1.1 200 OK|Content-Length: 500||                    ~ HEAD / HTTP/1.1|Host: a|   ~ true  ~ HTTP/1.1 200 OK|Content-Length: 500|ATTEMPT|DATE||
        HTTP/1.1 200 OK|Transfer-Encoding: chunked||             ~ HEAD / HTTP/1.1|Host: a|   ~ true  ~ HTTP/1.1 200 OK|ATTEMPT|DATE||
        HTTP/1.1 200 OK|Transfer-Encoding: chunked||2;x|ok|0|T: 1|| ~ GET / HTTP/1.1|Host: a| ~ true  ~ HTTP/1.1 200 OK|ATTEMPT|Transfer-Encoding: chunked|DATE||2|ok|0||
        HTTP/1.1 200 OK|Transfer-Encoding: chunked||00A |0123456789|00|| ~ GET / HTTP/1.1|Host: a| ~ true ~ HTTP/1.1 200 OK|ATTEMPT|Transfer-Encoding: chunked|DATE||a|0123456789|0||
        HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|0||     ~ GET / HTTP/1.0|Host: a|    ~ false ~ HTTP/1.1 200 OK|ATTEMPT|DATE|Connection: close||ok
        HTTP/1.1 200 OK||ok                                      ~ GET / HTTP/1.1|Host: a|    ~ true  ~ HTTP/1.1 200 OK|ATTEMPT|Transfer-Encoding: chunked|DATE||2|ok|0||
        HTTP/1.0 200 OK||ok                                      ~ GET / HTTP/1.0|Host: a|    ~ false ~ HTTP/1.1 200 OK|ATTEMPT|DATE|Connection: close||ok
        HTTP/1.1 200 OK|Connection: close|Content-Length: 2||ok  ~ GET / HTTP/1.1|Host: a|    ~ true  ~ HTTP/1.1 200 OK|ATTEMPT|Content-Length: 2|DATE||ok
        HTTP/1.1 200 OK|Content-Length: 2||ok                    ~ GET / HTTP/1.0|Host: a|Connection: keep-alive| ~ false ~ HTTP/1.1 200 OK|ATTEMPT|Content-Length: 2|DATE|Connection: close||ok
        HTTP/1.1 200 OK|Content-Length: 2||ok                    ~ GET / HTTP/1.1|Host: a|Connection: close| ~ false ~ HTTP/1.1 200 OK|ATTEMPT|Content-Length: 2|DATE|Connection: close||ok
        HTTP/1.1 200 OK|Content-Length: 2||ok                    ~ GET / HTTP/1.1|Host: a|connection: Keep-Alive , CLOSE| ~ false ~ HTTP/1.1 200 OK|ATTEMPT|Content-Length: 2|DATE|Connection: close||ok
        HTTP/1.1 200 OK|Content-Length: 2||ok                    ~ GET / HTTP/1.1|Host: a|Connection: closed| ~ true ~ HTTP/1.1 200 OK|ATTEMPT|Content-Length: 2|DATE||ok
        nonsense||                                               ~ GET / HTTP/1.1|Host: a|    ~ true  ~ HTTP/1.1 502 Bad Gateway|Content-Type: text/plain; charset=utf-8|ATTEMPT|Content-Length: 46|DATE||the response of the backend is not valid HTTP$
        nonsense||                                               ~ HEAD / HTTP/1.1|Host: a|   ~ true  ~ HTTP/1.1 502 Bad Gateway|Content-Type: text/plain; charset=utf-8|ATTEMPT|Content-Length: 46|DATE||
        ''                                                       ~ HEAD /../ HTTP/1.1|Host: a| ~ false ~ HTTP/1.1 400 Bad Request|Content-Type: text/plain; charset=utf-8|x-poolkeeper-attempts: 0|Connection: close|Content-Length: 56|DATE||
        """)
    void a_response_is_complete_and_the_connection_is_kept_for_the_next_request(
            String answer, String request, boolean isKept, String response) throws Exception {
        backend((in, out, socket) -> {
            out.write(bytes(heads.getLast().startsWith("GET /next ") ? "HTTP/1.1 204 next||" : answer));
            socket.shutdownOutput();
        });
        String expected = response.replace("ATTEMPT", "x-poolkeeper-attempts: 1")
                .replace("DATE", "Date: Sun, 01 Mar 2026 12:00:00 GMT");
        try (RetryGateway gateway = gateway(RETRIES)) {
            String both = exchange(gateway, request + "|GET /next HTTP/1.1|Host: a||")
                    .replace("\r\n", "|")
                    .replace("\n", "$");
            assertThat(both.split("(?=HTTP/1.1 204 next)")[0]).isEqualTo(expected);
            assertThat(both.contains("HTTP/1.1 204 next")).isEqualTo(isKept);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        GET /a%20b?x=%2F&y HTTP/1.1|Host: A.b:8||                      ~ GET /a%20b?x=%2F&y HTTP/1.1|Host: A.b:8|VIA|FOR||
        GET http://b?x HTTP/1.1|Host: a||                              ~ GET /?x HTTP/1.1|Host: b|VIA|FOR||
        GET / HTTP/1.0|Host: a||                                       ~ GET / HTTP/1.1|Host: a|Via: 1.0 poolkeeper|FOR||
        GET / HTTP/1.1|Host: a|Cookie: a|X-B: b|cookie: c||            ~ GET / HTTP/1.1|Host: a|Cookie: a|X-B: b|cookie: c|VIA|FOR||
        GET / HTTP/1.1|Host: a|via: 1.0 x|X: y|Via: 1.1 z||            ~ GET / HTTP/1.1|Host: a|X: y|Via: 1.0 x,1.1 z, 1.1 poolkeeper|FOR||
        GET / HTTP/1.1|Host: a|x-forwarded-for: 192.0.2.1|X-Forwarded-For: 192.0.2.2|| ~ GET / HTTP/1.1|Host: a|VIA|X-Forwarded-For: 192.0.2.1,192.0.2.2, 127.0.0.1||
        GET / HTTP/1.1|Host: a|EXPECT: something||                     ~ GET / HTTP/1.1|Host: a|VIA|FOR||
        POST / HTTP/1.1|Host: a|content-length: 003||abc               ~ POST / HTTP/1.1|Host: a|VIA|FOR|Content-Length: 3||
        POST / HTTP/1.1|Host: a|transfer-encoding: chunked||2|ab|1|c|0|| ~ POST / HTTP/1.1|Host: a|VIA|FOR|Content-Length: 3||
        POST / HTTP/1.1|Host: a|Transfer-Encoding: Chunked||0A|0123456789|B|0123456789X|000|| ~ POST / HTTP/1.1|Host: a|VIA|FOR|Content-Length: 21||
        GET / HTTP/1.1|Host: a|X-Empty:|X-Tabs: \ta \tb\t||           ~ GET / HTTP/1.1|Host: a|X-Empty: |X-Tabs: a \tb|VIA|FOR||
        """)
    void a_request_reaches_the_backend_as_the_client_sent_it(String request, String head) throws Exception {
        backend((in, out, socket) -> {
            out.write(bytes(OK));
            socket.shutdownOutput();
        });
        try (RetryGateway gateway = gateway(RETRIES)) {
            assertThat(exchange(gateway, request)).startsWith("HTTP/1.1 200 OK\r\n");
            assertThat(heads).hasSize(1);
            assertThat(heads.get(0).replace("\r\n", "|"))
                    .isEqualTo(head.replace("VIA", "Via: 1.1 poolkeeper").replace("FOR", "X-Forwarded-For: 127.0.0.1"));
        }
    }

    @Test
    void requests_beyond_the_most_in_progress_are_refused() throws Exception {
        CountDownLatch bodies = new CountDownLatch(1);
        InputStream waiting = new InputStream() {
            @Override
            public int read() throws IOException {
                try {
                    bodies.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new IOException("the client went away");
            }
        };
        List<MessageHead.Field> fields =
                List.of(new MessageHead.Field("Host", "a"), new MessageHead.Field("Content-Length", "3"));
        MessageHead head = new MessageHead("POST / HTTP/1.1", fields);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (RetryGateway gateway = gateway(RETRIES)) {
            assertThat(gateway.places()).isEqualTo(4_096);
            for (int i = 0; i < 4_096; i++) {
                Future<?> unusedServing = threads.submit(() -> {
                    gateway.handle(new ClientExchange(
                            head, waiting, OutputStream.nullOutputStream(), loopback, time.instant()));
                    return null;
                });
            }
            await(() -> gateway.places() == 0);
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||"))
                    .startsWith("HTTP/1.1 503 Service Unavailable\r\n")
                    .endsWith("\r\n\r\ntoo many requests are in progress\n");
            bodies.countDown();
            await(() -> gateway.places() == 4_096);
            assertThat(gateway.places()).isEqualTo(4_096);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        HTTP/1.1 200 OK|Content-Length: 2||ok                               ~ 0    ~ 1
        HTTP/1.1 200 OK|Content-Length: 2||ok                               ~ 100  ~ 1
        HTTP/1.1 200 OK|Content-Length: 2||ok                               ~ 101  ~ 1
        HTTP/1.1 200 OK|Content-Length: 2||ok                               ~ 3999 ~ 1
        HTTP/1.1 200 OK|Content-Length: 2||ok                               ~ 4000 ~ 2
        HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|0||                ~ 0    ~ 1
        HTTP/1.1 204 No||                                                   ~ 0    ~ 1
        HTTP/1.1 304 No|Content-Length: 9||                                 ~ 0    ~ 1
        HTTP/1.1 200 OK|Connection: keep-alive|Content-Length: 2||ok        ~ 0    ~ 1
        HTTP/1.1 200 OK|Connection: close|Content-Length: 2||ok             ~ 0    ~ 2
        HTTP/1.1 200 OK|connection: x , CLOSE|Content-Length: 2||ok         ~ 0    ~ 2
        HTTP/1.1 204 No|Connection: Close||                                 ~ 0    ~ 2
        HTTP/1.0 200 OK|Content-Length: 2||ok                               ~ 0    ~ 2
        HTTP/1.0 204 No||                                                   ~ 0    ~ 2
        HTTP/1.1 200 OK|Content-Length: 2||ok and more                      ~ 0    ~ 2
        HTTP/1.1 204 No||HTTP/1.1 200 OK|Content-Length: 4||evil            ~ 0    ~ 2
        """)
    void a_connection_to_the_backend_is_used_again_for_four_seconds_if_both_allow(
            String answer, int idleMillis, int connections) throws Exception {
        Set<Socket> sockets = ConcurrentHashMap.newKeySet();
        backend((in, out, socket) -> {
            sockets.add(socket);
            out.write(bytes(answer));
        });
        try (RetryGateway gateway = gateway(RETRIES)) {
            int places = gateway.places();
            String status = answer.substring("HTTP/1.1".length(), "HTTP/1.1 200".length());
            int fewest = 2;
            for (int pair = 0; pair < 20 && fewest > connections; pair++) { // one that is still sending is not kept
                time.advance(Duration.ofMinutes(1));
                sockets.clear();
                for (int i = 0; i < 2; i++) {
                    assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||")).startsWith("HTTP/1.1" + status);
                    await(() -> gateway.places() == places);
                    time.advance(Duration.ofMillis(idleMillis));
                }
                fewest = Math.min(fewest, sockets.size());
            }
            assertThat(fewest).isEqualTo(connections);
            assertThat(gateway.connections()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void a_kept_connection_that_the_backend_closed_is_replaced() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        backend((in, out, socket) -> {
            out.write(bytes(OK));
            if (heads.size() == 1) {
                socket.close();
                gone.countDown();
            }
        });
        try (RetryGateway gateway = gateway(RETRIES.replace("attempts: 2", "attempts: 0"))) {
            int places = gateway.places();
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||")).startsWith("HTTP/1.1 200 ");
            gone.await();
            await(() -> gateway.places() == places);
            time.advance(Duration.ofMillis(101));
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||")).startsWith("HTTP/1.1 200 ");
        }
    }

    /** A look at an idle connection has a time limit, which is not that of the next response. */
    @Test
    void a_kept_connection_waits_for_its_response_as_long_as_a_new_one() throws Exception {
        backend((in, out, socket) -> {
            long now = System.nanoTime();
            while (heads.size() == 2 && System.nanoTime() - now < 5_000_000) { // longer than the look
                Thread.onSpinWait();
            }
            out.write(bytes(OK));
        });
        try (RetryGateway gateway = gateway(RETRIES.replace("attempts: 2", "attempts: 0"))) {
            int places = gateway.places();
            for (int i = 0; i < 2; i++) {
                assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||")).startsWith("HTTP/1.1 200 ");
                await(() -> gateway.places() == places);
                time.advance(Duration.ofMillis(101));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 100000", "Transfer-Encoding: chunked", "X: until the end"})
    void a_response_has_its_time_limit_to_the_end_of_its_body(String framing) throws Exception {
        backend((in, out, socket) -> {
            out.write(bytes("HTTP/1.1 200 OK|" + framing + "||3|abc|"));
            closed.await();
        });
        try (RetryGateway gateway = gateway(RETRIES + "    timeouts: {request: 10s, backendRequest: 1s}\n");
                Socket socket = client(gateway)) {
            socket.getOutputStream().write(bytes("GET / HTTP/1.1|Host: a||"));
            InputStream in = new BufferedInputStream(socket.getInputStream());
            assertThat(head(in)).startsWith("HTTP/1.1 200 OK\r\n");
            assertThat(in.readNBytes(3)).hasSize(3); // sent on as they come
            time.advance(Duration.ofMillis(999));
            assertThat(time.pending()).isEqualTo(1);
            time.advance(Duration.ofMillis(1));
            assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).doesNotEndWith("\r\n0\r\n\r\n");
        }
    }

    /** Five slow requests on one connection take longer than one may. */
    @Test
    void each_request_has_a_minute_to_arrive() throws Exception {
        backend((in, out, socket) -> {
            in.readNBytes(3);
            out.write(bytes(OK));
        });
        try (RetryGateway gateway = gateway(RETRIES);
                Socket socket = client(gateway)) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            byte[] request = bytes("POST / HTTP/1.1|Host: a|Expect: 100-continue|Content-Length: 3||");
            for (int i = 0; i < 5; i++) {
                socket.getOutputStream().write(request);
                assertThat(head(in)).startsWith("HTTP/1.1 100 ");
                time.advance(Duration.ofSeconds(59));
                socket.getOutputStream().write(bytes("abc"));
                assertThat(head(in)).startsWith("HTTP/1.1 200 ");
                assertThat(in.readNBytes(2)).hasSize(2);
            }
            socket.getOutputStream().write(request);
            assertThat(head(in)).startsWith("HTTP/1.1 100 ");
            time.advance(Duration.ofSeconds(60));
            socket.getOutputStream().write(bytes("a"));
            assertThat(head(in)).startsWith("HTTP/1.1 400 ");
            assertThat(heads).hasSize(5);
        }
    }

    @Test
    void what_comes_piece_by_piece_is_sent_on_piece_by_piece() throws Exception {
        int large = (64 << 10) + 2; // more than is kept
        backend((in, out, socket) -> {
            out.write(bytes("HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|a|"));
            InputStream body = new MessageBody(in, MessageBody.CHUNKED);
            for (int read = body.readNBytes(large).length; read > 0; read = body.readNBytes(1).length) {
                out.write(bytes("1|" + read % 10 + "|"));
            }
            out.write(bytes("0||"));
        });
        try (RetryGateway gateway = gateway(RETRIES);
                Socket socket = client(gateway)) {
            OutputStream out = socket.getOutputStream();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            out.write(bytes(
                    "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||1|a|10001|" + "x".repeat(large - 1) + "|"));
            assertThat(head(in)).contains("\r\nTransfer-Encoding: chunked\r\n");
            assertThat(heads.get(0)).contains("\r\nTransfer-Encoding: chunked\r\n");
            assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("1\r\na\r\n1\r\n8\r\n");
            for (int i = 0; i < 3; i++) {
                out.write(bytes("1|b|"));
                assertThat(new String(in.readNBytes(6), StandardCharsets.US_ASCII))
                        .isEqualTo("1\r\n1\r\n");
            }
            out.write(bytes("0||"));
            assertThat(new String(in.readNBytes(5), StandardCharsets.US_ASCII)).isEqualTo("0\r\n\r\n");
        }
    }

    @Test
    void a_client_that_goes_away_in_mid_response_is_counted_as_such() throws Exception {
        backend((in, out, socket) -> {
            out.write(bytes("HTTP/1.1 200 OK|Transfer-Encoding: chunked||"));
            while (true) { // until the gateway goes away
                out.write(bytes("3|abc|"));
            }
        });
        try (RetryGateway gateway = gateway(RETRIES)) {
            int places = gateway.places();
            try (Socket socket = client(gateway)) {
                socket.getOutputStream().write(bytes("GET / HTTP/1.1|Host: a||"));
                assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 200 ");
                socket.setSoLinger(true, 0); // a reset
            }
            await(() -> gateway.places() == places);
            assertThat(metrics.text())
                    .contains("poolkeeper_gateway_requests_total{route=\"default/web rule 0\",status=\"499\"} 1\n")
                    .contains("poolkeeper_gateway_attempts_total{route=\"default/web rule 0\",result=\"200\"} 1\n");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        HTTP/1.1 200 OK|Content-Length: 0||          ~ 200 ~ 200        ~ 1 ~ 0
        HTTP/1.1 503 X|Content-Length: 0||           ~ 503 ~ 503        ~ 3 ~ 2
        HTTP/1.1 200 OK|Content-Le                   ~ 503 ~ connection ~ 3 ~ 2
        nonsense||                                   ~ 502 ~ connection ~ 1 ~ 0
        WAIT                                         ~ 504 ~ timeout    ~ 3 ~ 2
        """)
    void each_request_attempt_and_retry_is_counted_by_its_result(
            String answer, int status, String result, int attempts, int retries) throws Exception {
        backend((in, out, socket) -> {
            if (answer.equals("WAIT")) {
                time.advance(Duration.ofSeconds(1));
                closed.await();
            }
            out.write(bytes(answer));
            if (!answer.endsWith("||")) {
                socket.shutdownOutput();
            }
        });
        String route = "{route=\"default/web rule 0\"";
        try (RetryGateway gateway = gateway(RETRIES + "    timeouts: {backendRequest: 1s}\n")) {
            int places = gateway.places();
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||")).startsWith("HTTP/1.1 " + status + " ");
            await(() -> gateway.places() == places);
            assertThat(metrics.text().lines().filter(line -> line.contains(route)))
                    .contains(
                            "poolkeeper_gateway_requests_total" + route + ",status=\"" + status + "\"} 1",
                            "poolkeeper_gateway_attempts_total" + route + ",result=\"" + result + "\"} " + attempts)
                    .hasSize(retries == 0 ? 2 : 3)
                    .allMatch(line -> !line.contains("retries_total") || line.endsWith("} " + retries));
        }
    }

    @Test
    void a_backend_whose_name_leads_nowhere_is_not_connected() throws Exception {
        Path file = Files.writeString(folder.resolve("routes.yaml"), RETRIES);
        RoutingTable table = RoutingTable.of(
                PolicyManifests.read(List.of(file), PolicyDefaults.GATEWAY),
                List.of(new BackendAddress("", "web", "[::1%none]:80")),
                budgets);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (RetryGateway gateway = RetryGateway.start(any, () -> table, metrics, time)) {
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||"))
                    .startsWith("HTTP/1.1 502 Bad Gateway\r\n")
                    .endsWith("\r\n\r\nno connection to the backend\n");
        }
    }

    @Test
    void a_closed_gateway_leaves_nothing_open() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        backend((in, out, socket) -> {
            both.countDown();
            assertThat(in.read()).isNegative();
            both.countDown();
        });
        RetryGateway gateway = gateway(RETRIES);
        try (Socket idle = client(gateway);
                Socket busy = client(gateway)) {
            busy.getOutputStream().write(bytes("GET / HTTP/1.1|Host: a||"));
            await(() -> both.getCount() == 1);
            gateway.close();
            both.await();
            for (Socket socket : List.of(idle, busy)) {
                assertThat(ended(socket)).isTrue();
            }
            assertThat(gateway.connections()).isZero();
        }
    }

    @Test
    void a_closed_gateway_closes_connections_that_are_kept() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        backend((in, out, socket) -> {
            out.write(bytes(OK));
            assertThat(in.read()).isNegative();
            ended.countDown();
        });
        RetryGateway gateway = gateway(RETRIES);
        int places = gateway.places();
        assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||")).startsWith("HTTP/1.1 200 ");
        await(() -> gateway.places() == places);
        gateway.close();
        assertThat(gateway.connections()).isZero();
        ended.await();
    }

    private static boolean ended(Socket socket) {
        try {
            return socket.getInputStream().readAllBytes().length == 0;
        } catch (IOException e) {
            return true; // a reset
        }
    }

    @ParameterizedTest
    @CsvSource({"15, 200", "16, 502"})
    void a_response_has_at_most_15_interim_ones(int interim, int status) throws Exception {
        backend((in, out, socket) -> out.write(bytes("HTTP/1.1 103 X|A: b||".repeat(interim) + OK)));
        try (RetryGateway gateway = gateway(RETRIES)) {
            assertThat(exchange(gateway, "GET / HTTP/1.1|Host: a||")).startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @Test
    void the_faults_of_a_body_in_chunks_are_the_clients() throws Exception {
        backend((in, out, socket) -> in.transferTo(OutputStream.nullOutputStream()));
        String chunk = "10000|" + "x".repeat(1 << 16) + "|";
        try (RetryGateway gateway = gateway(RETRIES)) {
            for (String end : List.of("zz|", "0|X: trailer||", "5|abcdefgh|0||", "5|abc")) {
                assertThat(exchange(
                                gateway, "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked||" + chunk + chunk + end))
                        .as(end)
                        .startsWith("HTTP/1.1 400 ");
            }
        }
    }
}
