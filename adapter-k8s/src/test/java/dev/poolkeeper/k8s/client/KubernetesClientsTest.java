package dev.poolkeeper.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.contract.Rule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesClientsTest {

    /** Header, value. */
    private record Sent(String path, Map<String, List<String>> headers) {
        String header(String name) {
            return headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(header -> header.getValue().getFirst())
                    .findFirst()
                    .orElse("none");
        }
    }

    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private final Deque<Integer> statuses = new ArrayDeque<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        sent.add(new Sent(exchange.getRequestURI().getPath(), Map.copyOf(exchange.getRequestHeaders())));
        exchange.getResponseHeaders().add("Location", "/elsewhere");
        exchange.sendResponseHeaders(statuses.size() > 1 ? statuses.pop() : statuses.peek(), -1);
        exchange.close();
    }

    private URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private ApiServer with(Credential credential) {
        return new ApiServer(uri(), Optional.empty(), HttpClient.Builder.NO_PROXY, credential, Map.of());
    }

    private int listing(ApiServer apiServer) {
        try (KubernetesClient client = KubernetesClients.forObjects(apiServer)) {
            Throwable failure = catchThrowable(() -> client.nodes().list());
            assertThat(failure).isInstanceOf(KubernetesClientException.class);
            return ApiFailure.status(failure);
        }
    }

    @Test
    void a_request_is_sent_once_and_does_not_ask_for_http_2() {
        statuses.add(503);

        assertThat(listing(ApiServer.at(uri()))).isEqualTo(503);

        assertThat(sent)
                .singleElement()
                .satisfies(one -> assertThat(one.header("Upgrade")).isEqualTo("none"));
    }

    @Test
    @Rule(
            id = "V40",
            says = "A redirect of the API server is a failed request: no credential goes to another address.",
            source = "ours")
    void a_redirect_is_not_followed() {
        statuses.add(307);

        assertThat(listing(with(() -> Optional.of("Bearer secret")))).isEqualTo(307);

        assertThat(sent).extracting(Sent::path).containsExactly("/api/v1/nodes");
    }

    @Test
    @Rule(
            id = "V41",
            says = "A request that is answered 401 is repeated once if there is another credential by then.",
            source = "client-go, `rest` and `plugin/pkg/client/auth/exec`")
    void a_refused_credential_is_replaced_once() {
        AtomicReference<String> current = new AtomicReference<>("Bearer old");
        Credential credential = new Credential() {
            @Override
            public Optional<String> authorization() {
                return Optional.of(current.get());
            }

            @Override
            public void refused(String authorization) {
                current.set(authorization.equals("Bearer old") ? "Bearer new" : "Bearer newer");
            }
        };
        statuses.add(401);

        assertThat(listing(with(credential))).isEqualTo(401);

        assertThat(sent).extracting(one -> one.header("Authorization")).containsExactly("Bearer old", "Bearer new");
    }

    @Test
    void a_refused_credential_that_stays_the_same_is_not_sent_again() {
        statuses.add(401);

        assertThat(listing(with(() -> Optional.of("Bearer old")))).isEqualTo(401);

        assertThat(sent).hasSize(1);
    }

    @Test
    void a_credential_that_fails_is_the_cause() {
        try (KubernetesClient client = KubernetesClients.forObjects(with(() -> {
            throw new IllegalStateException("the plugin is gone");
        }))) {
            assertThat(ApiFailure.cause(catchThrowable(() -> client.nodes().list())))
                    .isEqualTo("the plugin is gone");
        }
    }

    @Test
    void a_credential_that_fails_after_a_refusal_is_the_cause() {
        AtomicReference<String> current = new AtomicReference<>("Bearer old");
        statuses.add(401);
        try (KubernetesClient client = KubernetesClients.forObjects(with(new Credential() {
            @Override
            public Optional<String> authorization() {
                return Optional.of(Optional.ofNullable(current.get())
                        .orElseThrow(() -> new IllegalStateException("the plugin is gone")));
            }

            @Override
            public void refused(String authorization) {
                current.set(null);
            }
        }))) {
            assertThat(ApiFailure.cause(catchThrowable(() -> client.nodes().list())))
                    .isEqualTo("the plugin is gone");
        }
    }

    @Test
    void a_request_that_is_repeated_has_each_header_once() {
        AtomicReference<String> current = new AtomicReference<>("Bearer old");
        Credential credential = new Credential() {
            @Override
            public Optional<String> authorization() {
                return Optional.of(current.get());
            }

            @Override
            public void refused(String authorization) {
                current.set("Bearer new");
            }
        };
        statuses.add(401);

        listing(new ApiServer(
                uri(),
                Optional.empty(),
                HttpClient.Builder.NO_PROXY,
                credential,
                Map.of("Impersonate-Group", List.of("a", "b"))));

        assertThat(sent)
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.headers())
                        .containsEntry("Impersonate-group", List.of("a", "b"))
                        .hasEntrySatisfying(
                                "Authorization", values -> assertThat(values).hasSize(1)));
    }

    @ParameterizedTest
    @CsvSource({"10, 5000, 5000", "20, 10000, 10000", "40, 20000, 10000"})
    void a_request_about_a_lease_may_take_half_the_time_for_a_renewal(int renewDeadline, int request, int connection) {
        try (KubernetesClient client =
                KubernetesClients.forLeases(ApiServer.at(uri()), Duration.ofSeconds(renewDeadline))) {
            assertThat(client.getConfiguration().getRequestTimeout()).isEqualTo(request);
            assertThat(client.getConfiguration().getConnectionTimeout()).isEqualTo(connection);
        }
    }

    @Test
    void a_request_about_objects_may_take_half_a_minute_and_its_connection_ten_seconds() {
        try (KubernetesClient client = KubernetesClients.forObjects(ApiServer.at(uri()))) {
            assertThat(client.getConfiguration().getRequestTimeout()).isEqualTo(30_000);
            assertThat(client.getConfiguration().getConnectionTimeout()).isEqualTo(10_000);
        }
    }

    @Test
    @Rule(
            id = "V8",
            says = "Requests to the API server carry the User-Agent poolkeeper/VERSION (OS/ARCH).",
            source = "ours")
    void requests_name_the_program_and_its_version() {
        statuses.add(503);

        listing(ApiServer.at(uri()));

        assertThat(sent.getFirst().header("User-Agent")).matches("poolkeeper/\\S+ \\([a-z-]+/\\w+\\)");
    }

    @Test
    @Rule(
            id = "V42",
            says = "Neither Fabric8's environment variables and system properties nor the JDK's for proxies change a"
                    + " connection to the API server.",
            source = "ours")
    void nothing_but_the_api_server_given_decides_on_the_connection() {
        Map<String, String> properties = Map.of(
                "kubernetes.master", "http://127.0.0.1:1",
                "kubernetes.auth.token", "another",
                "kubernetes.auth.basic.username", "another",
                "kubernetes.auth.basic.password", "another",
                "kubernetes.impersonate.username", "another",
                "https.proxy", "http://127.0.0.1:1",
                "http.proxy", "http://127.0.0.1:1",
                "http.proxyHost", "127.0.0.1",
                "http.proxyPort", "1",
                "http.nonProxyHosts", "none");
        properties.forEach(System::setProperty);
        statuses.add(503);
        try {
            assertThat(listing(ApiServer.at(uri()))).isEqualTo(503);
        } finally {
            properties.keySet().forEach(System::clearProperty);
        }

        assertThat(sent)
                .singleElement()
                .satisfies(one -> assertThat(one.headers()).containsOnlyKeys("Content-length", "Host", "User-agent"));
    }
}
