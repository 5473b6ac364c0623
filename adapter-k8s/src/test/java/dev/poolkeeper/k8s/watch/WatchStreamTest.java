package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ConnectProxy;
import dev.poolkeeper.k8s.ProxiedApiServer;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchStreamTest {

    private final TestCluster cluster = new TestCluster();
    private final List<String> calls = new ArrayList<>();

    @AfterEach
    void close() {
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource({"true, cancel", "false, consume"})
    void the_answer_to_a_request_that_was_cancelled_meanwhile_is_not_read(boolean isCancelled, String expected) {
        List<WatchStream> sending = new ArrayList<>();
        HttpClient http = proxy(HttpClient.class, (proxy, method, args) -> {
            if (!method.getName().equals("consumeBytes")) {
                return call(() -> method.invoke(cluster.client().getHttpClient(), args));
            }
            if (isCancelled) {
                sending.get(0).cancel();
            }
            return CompletableFuture.completedFuture(answer());
        });
        KubernetesClient client = proxy(
                KubernetesClient.class,
                (proxy, method, args) -> method.getName().equals("getHttpClient")
                        ? http
                        : call(() -> method.invoke(cluster.client(), args)));
        WatchStream stream = new WatchStream(client, "api/v1/services?watch=true", new Ignoring());
        sending.add(stream);

        stream.start();

        assertThat(calls).containsExactly(expected);
    }

    @Test
    void a_watch_that_the_proxy_does_not_pass_on_ends_at_once() throws Exception {
        List<String> ended = new CopyOnWriteArrayList<>();
        CountDownLatch end = new CountDownLatch(1);
        WatchStream.Listener listener = new Ignoring() {
            @Override
            public void ended(WatchStream stream, int status, @Nullable Throwable error) {
                ended.add(status + " " + (error == null ? "" : error.getMessage()));
                end.countDown();
            }
        };
        try (ConnectProxy proxy = ConnectProxy.askingForCredentials()) {
            ApiServer server = ProxiedApiServer.behind(proxy);
            try (KubernetesClient client = KubernetesClients.forObjects(server)) {
                new WatchStream(client, "api/v1/services?watch=true", listener).start();

                assertThat(end.await(10, TimeUnit.SECONDS)).isTrue();
            }
        }
        assertThat(ended).containsExactly("0 " + ApiFailure.PROXY_ASKS);
    }

    private HttpResponse<AsyncBody> answer() {
        AsyncBody body = proxy(AsyncBody.class, (proxy, method, args) -> {
            if (method.getName().equals("done")) {
                return new CompletableFuture<Void>();
            }
            calls.add(method.getName());
            return null;
        });
        @SuppressWarnings("unchecked")
        HttpResponse<AsyncBody> answer = proxy(
                HttpResponse.class,
                (proxy, method, args) -> method.getName().equals("isSuccessful") ? (Object) true : body);
        return answer;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(WatchStreamTest.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private interface Call {
        Object now() throws ReflectiveOperationException;
    }

    private static Object call(Call call) throws Throwable {
        try {
            return call.now();
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static class Ignoring implements WatchStream.Listener {
        @Override
        public void opened(WatchStream stream) {}

        @Override
        public void line(WatchStream stream, String line) {}

        @Override
        public void ended(WatchStream stream, int status, @Nullable Throwable error) {}
    }
}
