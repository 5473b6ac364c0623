package dev.poolkeeper.k8s.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.Locale;

/**
 * Creates API server clients configured for this adapter.
 *
 * <p>Fabric8's own retries are off, because the callers schedule their own. HTTP/1.1 is used because HTTP/2 puts all
 * requests on one connection and the JDK's client does not ping it: once that connection is half open, a reopened watch
 * and every Lease renewal would use it until TCP gives up, about 15 minutes later.
 */
public final class KubernetesClients {

    /** Timeout of a request for watched objects or Events. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

    /** Expensive to create, and shared by all clients. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization(ObjectJson.mapper(), true);

    private KubernetesClients() {}

    /** A client for watches and Events. */
    public static KubernetesClient forObjects(ApiServer server) {
        return build(server, REQUEST_TIMEOUT);
    }

    /**
     * A client for Leases. Its request timeout is half the renew deadline, so that one hanging request does not cost
     * the lease.
     */
    public static KubernetesClient forLeases(ApiServer server, Duration renewDeadline) {
        return build(server, renewDeadline.dividedBy(2));
    }

    private static KubernetesClient build(ApiServer server, Duration timeout) {
        Duration connect = timeout.compareTo(LONGEST_CONNECT) < 0 ? timeout : LONGEST_CONNECT;
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(server.uri().toString())
                .withRequestTimeout(Math.toIntExact(timeout.toMillis()))
                .withConnectionTimeout(Math.toIntExact(connect.toMillis()))
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(SERIALIZATION)
                .withHttpClientFactory(new ApiServerTransport(server, userAgent()))
                .build();
    }

    /** Such as {@code poolkeeper/1.0.0 (linux/amd64)}, the format that other Kubernetes clients use. */
    private static String userAgent() {
        String version = KubernetesClients.class.getPackage().getImplementationVersion();
        return "poolkeeper/%s (%s/%s)"
                .formatted(
                        version == null ? "unknown" : version,
                        System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(' ', '-'),
                        System.getProperty("os.arch"));
    }
}
