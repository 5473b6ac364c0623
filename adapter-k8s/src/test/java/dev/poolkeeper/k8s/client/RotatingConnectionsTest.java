package dev.poolkeeper.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** The clients behind the one client of a certificate that is replaced. */
class RotatingConnectionsTest {

    private final List<HttpClient> built = new ArrayList<>();
    private SSLContext wanted = context();
    private final RotatingConnections connections = new RotatingConnections(builder(), () -> wanted, context -> {});

    private static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, null, null);
            return context;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static CompletableFuture<HttpResponse<AsyncBody>> sent(JdkHttpClientImpl client) {
        HttpRequest request =
                new StandardHttpRequest.Builder().uri("https://127.0.0.1:1/").build();
        return client.consumeBytesDirect((StandardHttpRequest) request, (bytes, body) -> {});
    }

    /** The usual builder, which records what it builds. */
    private HttpClient.Builder builder() {
        HttpClient.Builder usual = HttpClient.newBuilder();
        return (HttpClient.Builder) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HttpClient.Builder.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(usual, arguments);
                    if (result instanceof HttpClient made) {
                        built.add(made);
                    }
                    return method.getReturnType().isInstance(proxy) ? proxy : result;
                });
    }

    @Test
    void each_certificate_has_one_client_and_the_clients_of_former_ones_end() throws Exception {
        for (int certificates = 1; certificates <= 3; certificates++) {
            for (int i = 0; i < 2; i++) {
                assertThat(connections.send(RotatingConnectionsTest::sent)).isNotNull();
            }
            assertThat(built).hasSize(certificates);
            assertThat(built.getLast().sslContext()).isSameAs(wanted);
            for (HttpClient former : built.subList(0, certificates - 1)) {
                assertThat(former.awaitTermination(Duration.ofSeconds(10))).isTrue();
            }
            assertThat(built.getLast().isTerminated()).isFalse();
            wanted = context();
        }
    }

    @Test
    void a_request_without_a_certificate_fails_and_holds_up_no_other() throws Exception {
        AtomicReference<SSLContext> ready = new AtomicReference<>();
        RotatingConnections waiting = new RotatingConnections(
                builder(),
                () -> Optional.ofNullable(ready.get()).orElseThrow(() -> new IllegalStateException("no certificate")),
                context -> {});

        assertThat(waiting.send(RotatingConnectionsTest::sent))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("no certificate");

        ready.set(wanted);
        assertThat(CompletableFuture.supplyAsync(() -> waiting.send(RotatingConnectionsTest::sent) != null)
                        .get(10, TimeUnit.SECONDS))
                .isTrue();
        assertThat(built.getLast().sslContext()).isSameAs(wanted);
    }

    @Test
    void once_closed_it_makes_no_other_client() {
        assertThat(connections.send(RotatingConnectionsTest::sent)).isNotNull();

        connections.close();
        wanted = context();

        assertThat(connections.send(RotatingConnectionsTest::sent))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("closed");
        assertThat(built).hasSize(1);
    }
}
