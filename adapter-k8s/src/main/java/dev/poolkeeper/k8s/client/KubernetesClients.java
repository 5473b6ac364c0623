package dev.poolkeeper.k8s.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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

    private KubernetesClients() {}

    /**
     * A client for watches and Events.
     *
     * @param config from {@code Config.autoConfigure}, which reads kubeconfig files and service accounts
     * @throws IllegalArgumentException if the configured token cannot be sent
     */
    public static KubernetesClient forObjects(Config config) {
        return build(config, REQUEST_TIMEOUT);
    }

    /**
     * A client for Leases. Its request timeout is half the renew deadline, so that one hanging request does not cost
     * the lease.
     *
     * @throws IllegalArgumentException if the configured token cannot be sent
     */
    public static KubernetesClient forLeases(Config config, Duration renewDeadline) {
        return build(config, renewDeadline.dividedBy(2));
    }

    private static KubernetesClient build(Config config, Duration timeout) {
        Duration connect = timeout.compareTo(LONGEST_CONNECT) < 0 ? timeout : LONGEST_CONNECT;
        ConfigBuilder own = new ConfigBuilder(BearerTokens.fit(config))
                .withRequestTimeout(Math.toIntExact(timeout.toMillis()))
                .withConnectionTimeout(Math.toIntExact(connect.toMillis()))
                .withRequestRetryBackoffLimit(0)
                .withHttp2Disable(true);
        if (isFabric8s(config.getUserAgent())) {
            own.withUserAgent(userAgent());
        }
        return new KubernetesClientBuilder().withConfig(own.build()).build();
    }

    private static boolean isFabric8s(@Nullable String agent) {
        return agent == null || agent.startsWith("fabric8-");
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
