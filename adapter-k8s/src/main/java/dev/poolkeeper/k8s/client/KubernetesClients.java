package dev.poolkeeper.k8s.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;

/** Makes clients that fit this adapter. */
public final class KubernetesClients {

    /** The longest that a request about watched objects or events may take. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    private KubernetesClients() {}

    /**
     * A client for watches and Events.
     *
     * @param config from {@code Config.autoConfigure}, which knows kubeconfig files and service accounts
     */
    public static KubernetesClient forObjects(Config config) {
        return client(config, REQUEST_TIMEOUT);
    }

    /**
     * A client for Leases. A request that hangs must not cost the lease, so it may take half the time in which the
     * lease has to be renewed.
     */
    public static KubernetesClient forLeases(Config config, Duration renewDeadline) {
        return client(config, renewDeadline.dividedBy(2));
    }

    /**
     * Without Fabric8's own retries: who asks here knows better when to ask again. And on HTTP/1.1: HTTP/2 puts all
     * requests on one connection, and the JDK's client does not ping it. Once it is half open, a watch that is opened
     * again, and every renewal of a Lease, would go the same dead way until TCP gives up, a quarter of an hour later.
     */
    private static KubernetesClient client(Config config, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        Config own = new ConfigBuilder(config)
                .withRequestTimeout(millis)
                .withConnectionTimeout(Math.min(millis, 10_000))
                .withRequestRetryBackoffLimit(0)
                .withHttp2Disable(true)
                .build();
        return new KubernetesClientBuilder().withConfig(own).build();
    }
}
