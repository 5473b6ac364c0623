package dev.poolkeeper.simulation.wire;

import dev.poolkeeper.simulation.time.VirtualProcess;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;

/**
 * Creates Fabric8's client over a {@link Way}. It omits the interceptors of Fabric8's common configuration, which use
 * the real clock. It does not retry, like the shipped client, and applies timeouts on virtual time.
 */
public final class KubeClientFactory implements HttpClient.Factory {

    private static final Config CONFIG = new ConfigBuilder(Config.empty())
            .withMasterUrl("http://kubernetes.invalid/")
            .withRequestTimeout(0)
            .withConnectionTimeout(0)
            .withRequestRetryBackoffLimit(0)
            .build();

    /** Expensive to create, and shared by all. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization(Json.mapper(), true);

    private final VirtualProcess process;
    private final Way way;
    private final Duration timeout;

    /**
     * @param process the process whose threads and timers it uses
     * @param timeout the timeout of requests other than watches
     */
    public KubeClientFactory(VirtualProcess process, Way way, Duration timeout) {
        this.process = process;
        this.way = way;
        this.timeout = timeout;
    }

    /** A client over this way. */
    public KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(CONFIG)
                .withKubernetesSerialization(SERIALIZATION)
                .withHttpClientFactory(this)
                .build();
    }

    @Override
    public HttpClient.Builder newBuilder(Config config) {
        HttpClient.Builder builder = newBuilder();
        builder.tag(config.getRequestConfig());
        return builder;
    }

    @Override
    public HttpClient.Builder newBuilder() {
        return new KubeTransport.Builder(this);
    }

    VirtualProcess process() {
        return process;
    }

    Way way() {
        return way;
    }

    long timeoutNanos() {
        return timeout.toNanos();
    }
}
