package dev.poolkeeper.k8s.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes clients that fit this adapter.
 *
 * <p>Without Fabric8's own retries: the caller knows better when to ask again. And on HTTP/1.1: HTTP/2 puts all
 * requests on one connection, and the JDK's client does not ping it. Once it is half open, a watch that is opened
 * again, and every renewal of a Lease, would go the same dead way until TCP gives up, a quarter of an hour later.
 */
public final class KubernetesClients {

    /** The longest that a request about watched objects or events may take. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

    private KubernetesClients() {}

    /**
     * A client for watches and Events.
     *
     * @param config from {@code Config.autoConfigure}, which knows kubeconfig files and service accounts
     * @throws IllegalArgumentException if the configured token cannot be sent
     */
    public static KubernetesClient forObjects(Config config) {
        return build(config, REQUEST_TIMEOUT);
    }

    /**
     * A client for Leases. A request that hangs must not cost the lease, so it may take half the time in which the
     * lease has to be renewed.
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

    /** Such as {@code poolkeeper/1.0.0 (linux/amd64)}, as other clients of API servers name themselves. */
    private static String userAgent() {
        String version = KubernetesClients.class.getPackage().getImplementationVersion();
        return "poolkeeper/%s (%s/%s)"
                .formatted(
                        version == null ? "unknown" : version,
                        System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(' ', '-'),
                        System.getProperty("os.arch"));
    }
}
