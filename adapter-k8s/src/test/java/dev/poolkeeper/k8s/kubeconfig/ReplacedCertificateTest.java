package dev.poolkeeper.k8s.kubeconfig;

import static dev.poolkeeper.k8s.kubeconfig.KubeconfigFixture.authority;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.client.TlsSettings;
import dev.poolkeeper.k8s.kubeconfig.TlsApiServer.Seen;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client certificate that another takes the place of, while clients with open connections are in use. */
class ReplacedCertificateTest {

    private static final String V1 = "client.authentication.k8s.io/v1";
    private static final String OLD = "CN=old";
    private static final String NEW = "CN=new";

    /** How the parts of this adapter send requests. */
    private enum Way {
        LIST {
            @Override
            KubernetesClient client(ApiServer server) {
                return KubernetesClients.forObjects(server);
            }

            @Override
            void send(KubernetesClient client) {
                client.nodes().list();
            }
        },
        LEASE {
            @Override
            KubernetesClient client(ApiServer server) {
                return KubernetesClients.forLeases(server, Duration.ofSeconds(10));
            }

            @Override
            void send(KubernetesClient client) {
                client.nodes().list(); // the client is another, not the request
            }
        },
        PATCH {
            @Override
            KubernetesClient client(ApiServer server) {
                return KubernetesClients.forObjects(server);
            }

            @Override
            void send(KubernetesClient client) throws Exception {
                HttpClient http = client.getHttpClient();
                HttpRequest request = http.newHttpRequestBuilder()
                        .uri(client.getMasterUrl() + "api/v1/nodes/a")
                        .patch("application/merge-patch+json", "{}")
                        .build();
                expectSuccess(http.sendAsync(request, String.class).get(10, TimeUnit.SECONDS));
            }
        },
        WATCH {
            @Override
            KubernetesClient client(ApiServer server) {
                return KubernetesClients.forObjects(server);
            }

            @Override
            void send(KubernetesClient client) throws Exception {
                HttpResponse<AsyncBody> response = watch(client, new StringBuffer());
                response.body().cancel();
                expectSuccess(response);
            }
        };

        abstract KubernetesClient client(ApiServer server);

        abstract void send(KubernetesClient client) throws Exception;

        private static void expectSuccess(HttpResponse<?> response) {
            if (!response.isSuccessful()) {
                throw new IllegalStateException("HTTP " + response.code());
            }
        }
    }

    @TempDir
    private Path folder;

    private KubeconfigFixture kubeconfig;
    private TlsApiServer server;

    @BeforeEach
    void start() throws Exception {
        kubeconfig = new KubeconfigFixture(folder);
        kubeconfig.environment.put("PATH", folder + ":" + System.getenv("PATH"));
        server = new TlsApiServer("127.0.0.1");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static HeldCertificate certificate(String name) {
        return new HeldCertificate.Builder()
                .commonName(name)
                .signedBy(TlsApiServer.AUTHORITY)
                .build();
    }

    private ApiServer with(String user) throws Exception {
        kubeconfig.write("server: \"https://127.0.0.1:" + server.port() + "\", " + authority(), user);
        return kubeconfig.servers().inFile(kubeconfig.file, null);
    }

    /** Prints the first credential once and then the other. */
    private ApiServer plugin(String first, String other) throws Exception {
        Files.writeString(folder.resolve("1.json"), first);
        Files.writeString(folder.resolve("2.json"), other);
        Path file = Files.writeString(folder.resolve("plugin"), """
            #!/bin/sh
            echo run >> %1$s/runs
            test $(wc -l < %1$s/runs) = 1 && cat %1$s/1.json || cat %1$s/2.json
            """.formatted(folder));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return with("exec: {apiVersion: " + V1 + ", command: plugin, interactiveMode: Never}");
    }

    private int runs() throws Exception {
        return Files.readAllLines(folder.resolve("runs")).size();
    }

    private static String credential(HeldCertificate identity, Map<String, String> more) throws Exception {
        Map<String, String> status = new HashMap<>(more);
        status.put("clientCertificateData", identity.certificatePem());
        status.put("clientKeyData", identity.privateKeyPkcs8Pem());
        return new ObjectMapper()
                .writeValueAsString(Map.of("apiVersion", V1, "kind", "ExecCredential", "status", status));
    }

    private void inFile(HeldCertificate identity) throws Exception {
        Files.writeString(folder.resolve("client.pem"), identity.certificatePem() + identity.privateKeyPkcs8Pem());
    }

    private static HttpResponse<AsyncBody> watch(KubernetesClient client, StringBuffer received) throws Exception {
        HttpClient http = client.getHttpClient();
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(client.getMasterUrl() + "api/v1/nodes?watch=true")
                .forStreaming()
                .build();
        return http.consumeBytes(request, (buffers, body) -> {
                    buffers.forEach(buffer -> received.append(StandardCharsets.UTF_8.decode(buffer)));
                    body.consume();
                })
                .get(10, TimeUnit.SECONDS);
    }

    private List<String> clients() {
        return server.seen().stream().map(Seen::client).toList();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "V55",
            says = "A client certificate that was replaced, in its files or by an exec plugin, is sent with the next"
                    + " request, over new connections; a watch that is open goes on.",
            source = "client-go, `transport` and `plugin/pkg/client/auth/exec`")
    void a_certificate_that_was_replaced_in_its_files_is_sent_with_the_next_request(Way way) throws Exception {
        inFile(certificate("old"));
        try (KubernetesClient client = way.client(with("client-certificate: client.pem, client-key: client.pem"))) {
            way.send(client);

            inFile(certificate("new"));
            way.send(client);
        }

        assertThat(clients()).containsExactly(OLD, NEW);
    }

    @ParameterizedTest
    @EnumSource
    void a_certificate_of_a_plugin_that_has_expired_is_replaced_on_open_connections_too(Way way) throws Exception {
        String expiry = kubeconfig.time.instant().plusSeconds(60).toString();
        ApiServer read = plugin(
                credential(certificate("old"), Map.of("expirationTimestamp", expiry)),
                credential(certificate("new"), Map.of()));
        try (KubernetesClient client = way.client(read)) {
            way.send(client);
            way.send(client);

            kubeconfig.time.advance(Duration.ofSeconds(60));
            way.send(client);
        }

        assertThat(clients()).containsExactly(OLD, OLD, NEW);
    }

    @ParameterizedTest
    @EnumSource
    void a_refused_certificate_runs_the_plugin_again_and_the_request_is_repeated(Way way) throws Exception {
        ApiServer read = plugin(credential(certificate("old"), Map.of()), credential(certificate("new"), Map.of()));
        try (KubernetesClient client = way.client(read)) {
            way.send(client);

            server.allow(seen -> seen.client().equals(NEW));
            way.send(client);
            way.send(client);
        }

        assertThat(clients()).containsExactly(OLD, OLD, NEW, NEW);
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void a_refused_token_and_certificate_run_the_plugin_once() throws Exception {
        ApiServer read = plugin(
                credential(certificate("old"), Map.of("token", "first")),
                credential(certificate("new"), Map.of("token", "second")));
        server.allow(seen -> seen.client().equals(NEW) && seen.authorization().equals("Bearer second"));
        try (KubernetesClient client = KubernetesClients.forObjects(read)) {
            client.nodes().list();
        }

        assertThat(server.seen())
                .extracting(Seen::client, Seen::authorization)
                .containsExactly(tuple(OLD, "Bearer first"), tuple(NEW, "Bearer second"));
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void a_refusal_over_one_client_replaces_the_certificate_of_all() throws Exception {
        ApiServer read = plugin(credential(certificate("old"), Map.of()), credential(certificate("new"), Map.of()));
        try (KubernetesClient objects = Way.LIST.client(read);
                KubernetesClient leases = Way.LEASE.client(read)) {
            objects.nodes().list();
            leases.nodes().list();

            server.allow(seen -> seen.client().equals(NEW));
            objects.nodes().list();
            leases.nodes().list();
        }

        assertThat(clients()).containsExactly(OLD, OLD, OLD, NEW, NEW);
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void a_refused_certificate_that_stays_the_same_is_not_sent_again() throws Exception {
        inFile(certificate("old"));
        server.allow(seen -> seen.client().equals(NEW));
        ApiServer read = with("client-certificate: client.pem, client-key: client.pem");
        try (KubernetesClient client = KubernetesClients.forObjects(read)) {
            assertThat(ApiFailure.status(catchThrowable(() -> client.nodes().list())))
                    .isEqualTo(401);
            assertThat(clients()).containsExactly(OLD);

            inFile(certificate("new"));
            client.nodes().list();
        }

        assertThat(clients()).containsExactly(OLD, NEW);
    }

    @Test
    void a_refusal_of_an_earlier_certificate_leaves_the_present_one() throws Exception {
        TlsSettings tls = plugin(credential(certificate("old"), Map.of()), credential(certificate("new"), Map.of()))
                .tls()
                .orElseThrow();
        SSLContext old = tls.context();
        tls.refused(old);
        SSLContext present = tls.context();
        assertThat(present).isNotSameAs(old);

        tls.refused(old);

        assertThat(tls.context()).isSameAs(present);
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void a_watch_that_is_open_goes_on_with_the_certificate_that_it_has() throws Exception {
        inFile(certificate("old"));
        StringBuffer received = new StringBuffer();
        ApiServer read = with("client-certificate: client.pem, client-key: client.pem");
        try (KubernetesClient client = KubernetesClients.forObjects(read)) {
            AsyncBody open = watch(client, received).body();
            open.consume();

            inFile(certificate("new"));
            client.nodes().list();
            server.endWatches();
            open.done().get(10, TimeUnit.SECONDS);
        }

        assertThat(received).hasToString("first\nlast\n");
        assertThat(clients()).containsExactly(OLD, NEW);
    }
}
