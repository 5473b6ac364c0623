package dev.poolkeeper.lab.gateway;

import static dev.poolkeeper.lab.gateway.GatewayFixture.ROUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.poolkeeper.app.daemon.Await;
import dev.poolkeeper.fake.FakeTime;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunningGatewayTest {

    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String CHANGED = ROUTE.replace("port: 80}]", "port: 80}]\n    timeouts: {request: 7s}");

    private final FakeTime time = new FakeTime();
    private final List<String> notes = new ArrayList<>();

    @TempDir
    private Path folder;

    private Path routes(String manifests) throws IOException {
        return Files.writeString(folder.resolve("routes.yaml"), manifests);
    }

    private RunningGateway start(
            String manifests, InetSocketAddress listen, InetSocketAddress admin, Consumer<String> noted)
            throws Exception {
        BackendAddress nobody = new BackendAddress("", "web", "127.0.0.1:1");
        return RunningGateway.start(
                new RunningGateway.Settings(List.of(routes(manifests)), List.of(nobody), listen, admin), time, noted);
    }

    @Test
    void the_files_are_looked_at_each_second_until_it_is_closed() throws Exception {
        try (RunningGateway gateway = start(ROUTE, ANY, ANY, notes::add)) {
            assertThat(gateway.address().getPort())
                    .isNotEqualTo(gateway.adminAddress().getPort());
            for (int i = 0; i < 2; i++) {
                for (String manifests : List.of(CHANGED, ROUTE)) {
                    routes(manifests);
                    notes.clear();
                    time.advance(Duration.ofMillis(999));
                    assertThat(notes).isEmpty();
                    time.advance(Duration.ofMillis(1));
                    assertThat(notes).hasSize(2).startsWith("the routes have changed");
                }
            }
        }
        routes(CHANGED);
        notes.clear();
        time.advance(Duration.ofMinutes(1));
        assertThat(notes).isEmpty();
        assertThat(time.pending()).isZero();
    }

    @Test
    void a_look_that_fails_is_not_the_last() throws Exception {
        Consumer<String> failing = note -> {
            notes.add(note);
            if (note.startsWith("the last valid routes stay in force")) {
                throw new IllegalStateException("the disk is full");
            }
        };
        try (RunningGateway unused = start(ROUTE, ANY, ANY, failing)) {
            routes("kind: HTTPRoute\n");
            Throwable unusedFailure = catchThrowable(() -> time.advance(Duration.ofSeconds(1)));
            routes(ROUTE);
            time.advance(Duration.ofSeconds(1));
            assertThat(notes).last().isEqualTo("the files are valid again");
        }
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            disabledReason = "needs a loopback address of its own, whose ports nobody else takes")
    void closed_it_gives_both_ports_back_and_if_one_is_in_use_it_gives_back_the_other() throws Exception {
        InetSocketAddress own = new InetSocketAddress("127.0.0.3", 0);
        InetSocketAddress listen;
        InetSocketAddress admin;
        try (RunningGateway gateway = start(ROUTE, own, own, notes::add)) {
            listen = gateway.address();
            admin = gateway.adminAddress();
        }
        try (ServerSocket other = new ServerSocket()) {
            bindOnceFree(other, admin);
            assertThatThrownBy(() -> start(ROUTE, listen, admin, notes::add)).isInstanceOf(IOException.class);
        }
        try (ServerSocket other = new ServerSocket()) {
            bindOnceFree(other, listen);
            assertThatThrownBy(() -> start(ROUTE, listen, admin, notes::add)).isInstanceOf(IOException.class);
        }
        try (ServerSocket one = new ServerSocket();
                ServerSocket two = new ServerSocket()) {
            bindOnceFree(one, listen);
            bindOnceFree(two, admin);
        }
    }

    /** The JDK's server gives its port back on a thread of its own. */
    private static void bindOnceFree(ServerSocket socket, InetSocketAddress address) {
        Await.until("free: " + address, () -> {
            try {
                socket.bind(address);
            } catch (BindException e) {
                return false;
            }
            return true;
        });
    }

    @Test
    void each_route_that_had_requests_is_compared() throws Exception {
        String manifests = """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: web}
            spec:
              rules:
              - {matches: [{path: {value: /a}}], backendRefs: [{name: web}]}
              - {matches: [{path: {value: /b}}], backendRefs: [{name: web}]}
              - {matches: [{path: {value: /c}}], backendRefs: [{name: web}]}
            """;
        try (RunningGateway gateway = start(manifests, ANY, ANY, notes::add);
                HttpClient client = HttpClient.newHttpClient()) {
            for (String path : List.of("/c", "/a", "/d")) {
                get(client, gateway.address(), path);
            }
            time.advance(Duration.ofSeconds(10));
            String page = get(client, gateway.adminAddress(), "/compare");
            while (page.contains("No requests yet") || !page.contains("rule 0")) { // counted after the response
                page = get(client, gateway.adminAddress(), "/compare");
            }
            assertThat(page)
                    .containsSubsequence("<h2>default/web rule 0</h2>", "<h2>default/web rule 2</h2>")
                    .doesNotContain("default/web rule 1");
        }
    }

    private static String get(HttpClient client, InetSocketAddress address, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }
}
