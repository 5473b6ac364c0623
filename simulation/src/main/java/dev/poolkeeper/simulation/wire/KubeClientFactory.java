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
 * Makes Fabric8's client over a {@link Way}. Without the interceptors of Fabric8's common configuration, which know the
 * real clock; it neither retries nor times out by itself, as in the shipped client the former and on virtual time the
 * latter.
 */
public final class KubeClientFactory implements HttpClient.Factory {

    private static final Config CONFIG = new ConfigBuilder(Config.empty())
            .withMasterUrl("http://kubernetes.invalid/")
            .withRequestTimeout(0)
            .withConnectionTimeout(0)
            .withRequestRetryBackoffLimit(0)
            .build();

    /** Costly to make, and the same for all. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final VirtualProcess process;
    private final Way way;
    private final Duration timeout;

    /**
     * @param process whose threads and timers it uses
     * @param timeout how long a request may take that is no watch
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
