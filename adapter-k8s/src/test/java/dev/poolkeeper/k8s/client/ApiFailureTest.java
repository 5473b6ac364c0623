package dev.poolkeeper.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.JsonParseException;
import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.contract.ConnectProxy;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.ProxiedApiServer;
import dev.poolkeeper.k8s.kubeconfig.ApiServers;
import dev.poolkeeper.k8s.lease.KubernetesLeaseStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exceptions of Fabric8 and the JDK, as they are reported to users. */
class ApiFailureTest {

    @TempDir
    private Path folder;

    private static Throwable listing(String url) {
        try (KubernetesClient client =
                KubernetesClients.forLeases(ApiServer.at(URI.create(url)), Duration.ofSeconds(10))) {
            return catchThrowable(() -> client.services().inAnyNamespace().list());
        }
    }

    private static Throwable answered(int status, String type, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        try {
            return listing("http://127.0.0.1:" + server.getAddress().getPort());
        } finally {
            server.stop(0);
        }
    }

    @Test
    @Rule(
            id = "V5",
            says = "Logs and the status give the server and the root cause of a failed request in words: refused, not"
                    + " trusted, not resolved, no response, or the response.",
            source = "ours")
    void a_refused_connection_is_named() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }

        Throwable failure = listing("http://127.0.0.1:" + free);

        assertThat(ApiFailure.cause(failure)).isEqualTo("connection refused, or the network is unreachable");
        assertThat(ApiFailure.status(failure)).isZero();
    }

    @Test
    void a_refusal_is_reported_once_and_briefly() throws IOException {
        try (KubeEmulator emulator = KubeEmulator.start(KubeSettings.DEFAULT)) {
            emulator.faults().deny(request -> true);

            Throwable failure = listing(emulator.uri().toString());

            assertThat(ApiFailure.cause(failure))
                    .isEqualTo("HTTP 403 Forbidden: services is forbidden: User \"system:unsecured\" cannot list"
                            + " resource \"services\" in API group \"\" at the cluster scope");
            assertThat(ApiFailure.status(failure)).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        500 | application/json | {"kind":"Status","code":500,"message":"etcdserver: request timed out"} | HTTP 500: etcdserver: request timed out
        502 | text/html        | <html>                                                               | HTTP 502: Bad Gateway
        200 | text/html        | <html><body>Sign in</body></html> | not the response of an API server: it is not the JSON of a Kubernetes object
        """)
    void a_response_is_reported_in_the_servers_words(int status, String type, String body, String expected)
            throws IOException {
        assertThat(ApiFailure.cause(answered(status, type, body))).isEqualTo(expected);
    }

    @Test
    void a_certificate_of_another_ca_is_named() throws Exception {
        try (KubeEmulator emulator = KubeEmulator.start(KubeSettings.DEFAULT.withTls(true));
                KubeEmulator other = KubeEmulator.start(KubeSettings.DEFAULT.withTls(true))) {
            Path kubeconfig = Files.writeString(
                    folder.resolve("kubeconfig"),
                    other.kubeconfig()
                            .replace(other.uri().toString(), emulator.uri().toString()));
            try (KubernetesClient client =
                    KubernetesClients.forObjects(new ApiServers(Map.of(), new FakeTime()).inFile(kubeconfig, null))) {
                Throwable failure =
                        catchThrowable(() -> client.services().inAnyNamespace().list());

                assertThat(ApiFailure.cause(failure))
                        .isEqualTo("the API server's certificate is not signed by the configured CA");
            }
        }
    }

    @Test
    void a_certificate_of_an_unknown_or_expired_ca_is_named() {
        assertThat(ApiFailure.cause(handshake(
                        new CertPathBuilderException("unable to find valid certification path to requested target"))))
                .isEqualTo("the API server's certificate is not signed by the configured CA");
        assertThat(ApiFailure.cause(handshake(new CertificateExpiredException("NotAfter: yesterday"))))
                .isEqualTo("the API server's certificate has expired");
    }

    private static Stream<Arguments> failures() {
        return Stream.of(
                arguments(new UnresolvedAddressException(), "the host name cannot be resolved"),
                arguments(new UnknownHostException("kube.test"), "the host name cannot be resolved"),
                arguments(new HttpConnectTimeoutException("HTTP connect timed out"), "timed out connecting"),
                arguments(new HttpTimeoutException("request timed out"), "timed out waiting for the response"),
                arguments(new TimeoutException(), "timed out waiting for the response"),
                arguments(new ConnectException(), "connection refused, or the network is unreachable"),
                arguments(new ConnectException("No route to host"), "No route to host"),
                arguments(new EOFException("EOF"), "the connection was closed without a response"),
                arguments(new InterruptedException("sleep"), "interrupted"),
                arguments(new InterruptedIOException("read"), "interrupted"),
                arguments(
                        new SignatureException("Signature does not match."),
                        "the API server's certificate is not signed by the configured CA"),
                arguments(new CertificateException("No name kube.test found."), "TLS: No name kube.test found"),
                arguments(new SSLException("Unrecognized SSL message"), "TLS: Unrecognized SSL message"),
                arguments(new SSLException(" "), "TLS: SSLException"),
                arguments(
                        new JsonParseException(null, "Unexpected character"),
                        "not the response of an API server: it is not the JSON of a Kubernetes object"),
                arguments(
                        new IllegalArgumentException("invalid header value: \"s3cret\""),
                        "a header value, such as a token, contains characters that HTTP does not allow"),
                arguments(new IllegalArgumentException("invalid URI"), "invalid URI"),
                arguments(new NullPointerException("not of a proxy"), "not of a proxy"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void the_innermost_cause_that_is_known_is_named(Throwable cause, String expected) {
        Throwable failure = new KubernetesClientException("Operation: [list] failed", new IOException("sent", cause));

        assertThat(ApiFailure.cause(failure)).isEqualTo(expected);
        assertThat(ApiFailure.status(failure)).isZero();
    }

    @Test
    void a_response_says_more_than_its_cause() {
        Throwable failure = new KubernetesClientException(
                "sent", new KubernetesClientException("Gone", new TimeoutException(), 410, null, null));

        assertThat(ApiFailure.cause(failure)).startsWith("HTTP 410");
        assertThat(ApiFailure.status(failure)).isEqualTo(410);
    }

    private static Throwable handshake(Throwable cause) {
        Exception handshake = new SSLHandshakeException("(certificate_unknown) PKIX path building failed");
        handshake.initCause(cause);
        return new KubernetesClientException("Operation: [list] failed", handshake);
    }

    @Test
    void a_token_is_never_shown() {
        assertThat(ApiFailure.cause(new CompletionException(
                        new IllegalArgumentException("invalid header value: \"Bearer s3cret\n\""))))
                .doesNotContain("s3cret");
        assertThat(ApiFailure.cause(new IllegalStateException("sent Authorization: Bearer s3cret.x-y_z and more")))
                .isEqualTo("sent Authorization: Bearer … and more");
        assertThat(ApiFailure.cause(new IllegalStateException("'bearer s3cret' and BEARER s3cret were refused.")))
                .isEqualTo("'bearer …' and BEARER … were refused");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u2028", "\u0000", "\u200b", "?"})
    void a_token_is_never_shown_whatever_is_before_it(String between) {
        assertThat(ApiFailure.cause(new IllegalStateException("sent Bearer" + between + "s3cret-token")))
                .startsWith("sent Bearer")
                .doesNotContain("s3cret");
    }

    @Test
    void long_texts_and_lines_are_truncated() {
        assertThat(ApiFailure.cause(new IllegalStateException("a\n b" + "c".repeat(1_000))))
                .startsWith("a bc")
                .hasSize(301);
    }

    @Test
    void without_any_message_the_kind_of_failure_is_named() {
        assertThat(ApiFailure.cause(new RuntimeException(new IllegalStateException())))
                .contains("IllegalStateException");
    }

    @Test
    void a_proxy_that_asks_for_credentials_is_named() throws IOException {
        try (ConnectProxy proxy = ConnectProxy.askingForCredentials()) {
            ApiServer server = ProxiedApiServer.behind(proxy);

            try (KubernetesClient client = KubernetesClients.forObjects(server)) {
                Throwable failure =
                        catchThrowable(() -> client.services().inAnyNamespace().list());

                assertThat(ApiFailure.cause(failure)).isEqualTo(ApiFailure.PROXY_ASKS);
                assertThat(ApiFailure.status(failure)).isZero();
            }
            try (KubernetesClient client = KubernetesClients.forLeases(server, Duration.ofSeconds(10))) {
                assertThatThrownBy(() -> new KubernetesLeaseStore(client, "kube-system", "lock").get())
                        .hasMessageEndingWith(ApiFailure.PROXY_ASKS);
            }
        }
    }
}
