package dev.poolkeeper.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

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
}
