package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.contract.ConnectProxy;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.input.proxy.ProxyAddress;
import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.Credential;
import dev.poolkeeper.k8s.client.KubernetesClients;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PagedListTest {

    private static final String PAGE = """
        {"kind":"ServiceList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"%s"},"items":[%s\
        """;
    private static final String SERVICE = """
        {"metadata":{"namespace":"shop","name":"%s","uid":"u","resourceVersion":"5"},"spec":{%s}}\
        """;

    private final FakeTime time = new FakeTime();
    private final List<String> seen = new ArrayList<>();
    private final CountDownLatch firstSeen = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<String> queries = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Answer answer = (exchange, out) -> {};
    private HttpServer server;
    private KubernetesClient client;

    private interface Answer {
        void write(HttpExchange exchange, OutputStream out) throws IOException, InterruptedException;
    }

    private final PagedList.Objects<Service> objects = new PagedList.Objects<>() {
        @Override
        public void read(Service object) {
            seen.add(object.getMetadata().getName());
            firstSeen.countDown();
        }

        @Override
        public void unreadable(ObjectMeta identity, Throwable why) {
            seen.add(ReducedStore.key(identity) + " in " + identity.getResourceVersion() + ": "
                    + ObjectIdentity.cause(why));
        }

        @Override
        public void end(String version) {
            seen.add("end at " + version);
        }
    };

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            queries.add(exchange.getRequestURI().getRawQuery());
            try (OutputStream out = exchange.getResponseBody()) {
                answer.write(exchange, out);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        client = KubernetesClients.forObjects(ApiServer.at(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort())));
    }

    @AfterEach
    void stop() {
        ended.countDown();
        client.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private void list() {
        list(client);
    }

    private void list(KubernetesClient client) {
        new PagedList<>(WatchedKind.services(new Reduction(), List.of()), client, WatchSettings.DEFAULT, time)
                .read(objects);
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Test
    void pages_are_read_to_the_last_one_and_an_unreadable_object_is_named() {
        answer = (exchange, out) -> {
            exchange.sendResponseHeaders(200, 0);
            boolean isFirst = queries.size() == 1;
            write(
                    out,
                    PAGE.formatted(
                                            isFirst ? "a/b=" : "",
                                            isFirst
                                                    ? SERVICE.formatted("a", "") + ","
                                                            + SERVICE.formatted("b", "'ports':{}")
                                                    : SERVICE.formatted("c", ""))
                                    .replace('\'', '"')
                            + "]}\n");
        };

        list();

        assertThat(queries).containsExactly("limit=500", "limit=500&continue=a%2Fb%3D");
        assertThat(seen).containsExactly("a", "shop/b in 5: not the form of spec.ports", "c", "end at 7");
    }

    @Test
    @Rule(
            id = "X28",
            says = "A page of a list is read object by object: each is passed on before the next one is read, so that"
                    + " a page of large objects takes no more memory than one of them.",
            source = "ours")
    void an_object_is_passed_on_before_its_page_ends() {
        answer = (exchange, out) -> {
            exchange.sendResponseHeaders(200, 0);
            // more than any buffer in between holds
            write(out, PAGE.formatted("", SERVICE.formatted("a", "") + "," + " ".repeat(1 << 20)));
            if (firstSeen.await(20, TimeUnit.SECONDS)) {
                write(out, SERVICE.formatted("b", "") + "]}");
            }
        };

        list();

        assertThat(seen).containsExactly("a", "b", "end at 7");
    }

    @Test
    void a_body_that_stops_fails_after_the_time_limit_of_requests() {
        answer = (exchange, out) -> {
            exchange.sendResponseHeaders(200, 0);
            write(out, PAGE.formatted("", SERVICE.formatted("a", "") + ","));
            while (!ended.await(1, TimeUnit.MILLISECONDS)) {
                time.advance(Duration.ofSeconds(10));
            }
        };

        Throwable failure = catchThrowable(this::list);
        ended.countDown();

        assertThat(failure).rootCause().isInstanceOf(HttpTimeoutException.class).hasMessage("no data within 30 s");
        assertThat(seen).containsExactly("a");
        assertThat(time.pending()).isZero();
    }

    @Test
    void a_refusal_is_reported_with_the_message_of_the_api_server() {
        answer = (exchange, out) -> {
            exchange.sendResponseHeaders(403, 0);
            write(out, "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"services is forbidden\"}");
        };
        assertThat(ApiFailure.cause(catchThrowable(this::list))).isEqualTo("HTTP 403 Forbidden: services is forbidden");

        answer = (exchange, out) -> {
            exchange.sendResponseHeaders(502, 0);
            write(out, "<html>");
        };
        assertThat(ApiFailure.cause(catchThrowable(this::list))).isEqualTo("HTTP 502");
        assertThat(seen).isEmpty();
    }

    @Test
    void a_proxy_that_asks_for_credentials_is_named() throws IOException {
        try (ConnectProxy proxy = new ConnectProxy(0)) {
            proxy.refuse("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
            ApiServer behind = new ApiServer(
                    URI.create("https://10.1.2.3:6443"),
                    Optional.empty(),
                    Proxies.always(new ProxyAddress(
                            "localhost", URI.create(proxy.address()).getPort())),
                    Credential.NONE,
                    Map.of());
            try (KubernetesClient refused = KubernetesClients.forObjects(behind)) {
                assertThat(ApiFailure.cause(catchThrowable(() -> list(refused))))
                        .isEqualTo(ApiFailure.PROXY_ASKS);
            }
        }
    }

    private <T extends HasMetadata> String firstQuery(WatchedKind<T, ?> kind) {
        queries.clear();
        new PagedList<>(kind, client, WatchSettings.DEFAULT, time).read(new PagedList.Objects<T>() {
            @Override
            public void read(T object) {}

            @Override
            public void unreadable(ObjectMeta identity, Throwable why) {}

            @Override
            public void end(String version) {}
        });
        return queries.getFirst();
    }

    @Test
    void pages_of_nodes_and_pods_which_are_large_hold_a_quarter() {
        answer = (exchange, out) -> {
            exchange.sendResponseHeaders(200, 0);
            write(out, PAGE.formatted("", "") + "]}");
        };
        Reduction reduction = new Reduction();
        String labelled = "labelSelector=poolkeeper.dev%2Freadiness-gate%3Dtrue&";
        assertThat(List.of(
                        firstQuery(WatchedKind.services(reduction, List.of())),
                        firstQuery(WatchedKind.slices(reduction, List.of())),
                        firstQuery(WatchedKind.nodes(reduction, List.of())),
                        firstQuery(WatchedKind.pods(reduction, List.of(), PodScope.ALL)),
                        firstQuery(WatchedKind.pods(reduction, List.of(), "shop"))))
                .containsExactly("limit=500", "limit=500", "limit=125", labelled + "limit=125", labelled + "limit=125");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"metadata": {"resourceVersion": "7"}, "items": null}                      | end at 7
        {"metadata": {"resourceVersion": "7"}, "items": []}                        | end at 7
        {"items": [], "metadata": {"resourceVersion": "7"}}                        | end at 7
        {"metadata": {"resourceVersion": "7", "continue": null}, "items": []}      | end at 7
        {"metadata": {"resourceVersion": "7", "continue": ""}, "items": []}        | end at 7
        {"metadata": {"resourceVersion": "7"}, "items": [], "more": {"items": [1]}} | end at 7
        {"metadata": {"resourceVersion": "7"}}                                     | no list
        {"metadata": {"resourceVersion": null}, "items": []}                       | no list
        {"metadata": {"resourceVersion": ""}, "items": []}                         | no list
        {"metadata": {}, "items": []}                                              | no list
        {"metadata": null, "items": []}                                            | no list
        {"items": []}                                                              | no list
        {"metadata": {"resourceVersion": "7"}, "items": [null]}                    | no list
        """)
    void an_empty_list_has_items_and_a_version(String body, String expected) {
        answer = (exchange, out) -> {
            exchange.sendResponseHeaders(200, 0);
            write(out, body);
        };
        Throwable failure = catchThrowable(this::list);

        assertThat(failure == null).isEqualTo(expected.equals("end at 7"));
        assertThat(seen).isEqualTo(failure == null ? List.of("end at 7") : List.of());
        assertThat(queries).hasSize(1);
        assertThat(time.pending()).isZero();
    }

    @Test
    void an_interrupted_list_fails_and_the_thread_stays_interrupted() {
        Thread.currentThread().interrupt();
        Throwable failure = catchThrowable(this::list);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).hasRootCauseInstanceOf(InterruptedException.class);
        assertThat(seen).isEmpty();
    }
}
