package dev.poolkeeper.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesClientsTest {

    @Test
    void a_request_is_sent_once_and_does_not_ask_for_http_2() throws Exception {
        List<Boolean> upgrades = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            upgrades.add(exchange.getRequestHeaders().containsKey("Upgrade"));
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
        });
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
        try (KubernetesClient client = KubernetesClients.forObjects(config)) {
            assertThatThrownBy(() -> client.nodes().list()).isInstanceOf(KubernetesClientException.class);
        } finally {
            server.stop(0);
        }

        assertThat(upgrades).containsExactly(false);
    }

    @Test
    void a_request_about_a_lease_may_take_half_the_time_for_a_renewal() {
        try (KubernetesClient client = KubernetesClients.forLeases(Config.empty(), Duration.ofSeconds(10))) {
            assertThat(client.getConfiguration().getRequestTimeout()).isEqualTo(5_000);
        }
    }

    private static final String USER = """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s"}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        users: [{name: u, user: %s}]
        """;

    @TempDir
    private Path folder;

    private Config kubeconfig(KubeEmulator emulator, String user) throws IOException {
        Path file = folder.resolve("config");
        Files.writeString(file, USER.formatted(emulator.uri(), user));
        return Config.fromKubeconfig(file.toFile());
    }

    private static KubeEmulator emulator() throws IOException {
        return KubeEmulator.start(
                KubeSettings.DEFAULT.withToken("first", "anna").withToken("second", "bert"));
    }

    private static String user(KubeEmulator emulator) {
        return emulator.requests().getLast().user();
    }

    @Test
    @Rule(
            id = "V6",
            says = "The tokenFile of a kubeconfig takes precedence over its token, is relative to the kubeconfig, and"
                    + " is read again for each request.",
            source = "client-go, `clientcmd/api`")
    void a_token_file_is_honoured_and_read_again() throws IOException {
        // given
        try (KubeEmulator emulator = emulator()) {
            Files.writeString(folder.resolve("token"), "first\n");
            Config config = kubeconfig(emulator, "{tokenFile: token, token: another}");
            try (KubernetesClient client = KubernetesClients.forObjects(config)) {
                // when
                client.nodes().list();
                // then
                assertThat(user(emulator)).isEqualTo("anna");
                Files.writeString(folder.resolve("token"), "second");
                client.nodes().list();
                assertThat(user(emulator)).isEqualTo("bert");
                Files.delete(folder.resolve("token"));
                client.nodes().list();
                assertThat(user(emulator)).isEqualTo("bert");
            }
        }
    }

    @Test
    void a_token_file_that_is_missing_is_named() throws IOException {
        try (KubeEmulator emulator = emulator();
                KubernetesClient client = KubernetesClients.forObjects(kubeconfig(emulator, "{tokenFile: token}"))) {
            assertThat(ApiFailure.cause(catchThrowable(() -> client.nodes().list())))
                    .isEqualTo("token file " + folder.resolve("token") + " cannot be used: it does not exist");
        }
    }

    @Test
    @Rule(
            id = "V7",
            says = "Whitespace around a bearer token is stripped; a token with other characters that HTTP does not"
                    + " allow is refused, and no message or log contains it.",
            source = "ours")
    void whitespace_around_a_token_is_stripped() throws IOException {
        try (KubeEmulator emulator = emulator();
                KubernetesClient client = KubernetesClients.forObjects(kubeconfig(emulator, "{token: \"first\\n\"}"))) {
            client.nodes().list();

            assertThat(user(emulator)).isEqualTo("anna");
        }
    }

    @Test
    void a_token_that_no_header_allows_is_refused_without_showing_it() {
        Config config =
                new ConfigBuilder(Config.empty()).withOauthToken("s3\ncret").build();

        assertThatThrownBy(() -> KubernetesClients.forObjects(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the bearer token for the API server contains characters that an HTTP header does not allow")
                .hasNoCause();
    }

    @Test
    @Rule(
            id = "V8",
            says = "Requests to the API server carry the User-Agent poolkeeper/VERSION (OS/ARCH).",
            source = "ours")
    void requests_name_the_program_and_its_version() {
        try (KubernetesClient client = KubernetesClients.forObjects(Config.empty())) {
            assertThat(client.getConfiguration().getUserAgent()).matches("poolkeeper/\\S+ \\([a-z-]+/\\w+\\)");
        }
        Config named = new ConfigBuilder(Config.empty()).withUserAgent("mine/1").build();
        try (KubernetesClient client = KubernetesClients.forObjects(named)) {
            assertThat(client.getConfiguration().getUserAgent()).isEqualTo("mine/1");
        }
    }
}
