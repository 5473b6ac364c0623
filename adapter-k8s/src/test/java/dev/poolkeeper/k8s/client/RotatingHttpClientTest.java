package dev.poolkeeper.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
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
class RotatingHttpClientTest {

    private static final HttpRequest REQUEST =
            HttpRequest.newBuilder(URI.create("https://127.0.0.1:1/")).build();

    private final List<HttpClient> built = new ArrayList<>();
    private SSLContext wanted = context();
    private final RotatingHttpClient client = new RotatingHttpClient(builder(), () -> wanted, context -> {});

    private static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, null, null);
            return context;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
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
                assertThat(client.sendAsync(REQUEST, BodyHandlers.discarding())).isNotNull();
                assertThat(client.sslContext()).isSameAs(wanted);
            }
            assertThat(built).hasSize(certificates);
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
        RotatingHttpClient waiting = new RotatingHttpClient(
                builder(),
                () -> Optional.ofNullable(ready.get()).orElseThrow(() -> new IllegalStateException("no certificate")),
                context -> {});

        assertThat(waiting.sendAsync(REQUEST, BodyHandlers.discarding()))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("no certificate");

        ready.set(wanted);
        assertThat(CompletableFuture.supplyAsync(waiting::sslContext).get(10, TimeUnit.SECONDS))
                .isSameAs(wanted);
    }
}
