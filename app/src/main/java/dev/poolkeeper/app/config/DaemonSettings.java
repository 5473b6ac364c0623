package dev.poolkeeper.app.config;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.kubeconfig.ApiServers;
import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.ports.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings used by the daemon only. Every component has a valid value; {@code docs/configuration.md} lists the keys
 * and their bounds.
 *
 * @param kubernetes the API server and credentials
 * @param dryRun whether everything except writes is done
 * @param policies the retry policies of the cluster
 * @param calls concurrency and shutdown of calls
 * @param election the election of the replica that writes
 * @param lock the lock shared by all writers to the load balancers
 * @param gate the readiness gate
 * @param admin the address of the daemon's own pages
 * @param logFormat the log format
 */
public record DaemonSettings(
        KubernetesConnection kubernetes,
        boolean dryRun,
        PolicyObjects policies,
        CallSettings calls,
        ElectionKeys election,
        LockKeys lock,
        GateKeys gate,
        AdminSettings admin,
        Format logFormat) {

    /**
     * The connection to the API server.
     *
     * @param kubeconfig the kubeconfig file; null: {@code KUBECONFIG}, {@code ~/.kube/config} or the pod's service
     *     account
     * @param context its context; null: the current one
     * @param podName the name of this pod; null outside a pod
     */
    public record KubernetesConnection(
            @Nullable Path kubeconfig,
            @Nullable String context,
            @Nullable String podName) {

        /**
         * Finds the API server, in the kubeconfig or the environment. No request is sent yet.
         *
         * @param environment the environment's variables
         * @throws BadInputException if the file or context cannot be used, or no API server is configured anywhere
         */
        public ApiServer apiServer(Map<String, String> environment, Time time) throws BadInputException {
            ApiServers servers = new ApiServers(environment, time);
            return kubeconfig == null ? servers.find(context) : servers.inFile(kubeconfig, context);
        }

        /**
         * What names the API server: a key, a variable, a file, or the pod's service account; empty if nothing does.
         *
         * @param environment the environment's variables
         */
        public Optional<String> origin(Map<String, String> environment, Time time) {
            if (kubeconfig != null) {
                return Optional.of("kubeconfig");
            }
            Optional<String> found = new ApiServers(environment, time).origin();
            return found.isEmpty() && context != null ? Optional.of("kubeContext") : found;
        }
    }

    /**
     * Retry policies that are objects of the cluster.
     *
     * @param watched whether they are used
     * @param namespace their namespace
     */
    public record PolicyObjects(boolean watched, String namespace) {}

    /**
     * How load balancers are processed.
     *
     * @param concurrency how many are processed in parallel; 1 to 64
     * @param shutdownGrace how long an accepted write is polled after SIGTERM; zero: not at all
     */
    public record CallSettings(int concurrency, Duration shutdownGrace) {}

    /**
     * The election of a leader among the replicas.
     *
     * @param enabled whether to elect a leader; if not, every replica writes
     * @param leaseName the Lease's name
     * @param leaseNamespace its namespace
     * @param times its timing
     */
    public record ElectionKeys(boolean enabled, String leaseName, String leaseNamespace, ElectionSettings times) {}

    /**
     * The lock shared by all writers to the load balancers.
     *
     * @param leaseName the Lease's name
     * @param leaseNamespace its namespace
     * @param times its timing
     */
    public record LockKeys(String leaseName, String leaseNamespace, ResourceLockSettings times) {}

    /**
     * The readiness gate.
     *
     * @param enabled whether conditions are set
     * @param namespaces where Pods may opt in; empty for all namespaces
     * @param timeout how long a Pod waits at most; zero for no limit
     */
    public record GateKeys(boolean enabled, List<String> namespaces, Duration timeout) {

        public GateKeys {
            namespaces = List.copyOf(namespaces);
        }
    }

    /**
     * The address that serves {@code /livez}, {@code /readyz}, {@code /metrics} and {@code /statusz}.
     *
     * @param address an IP address
     * @param port 0 to 65535; 0: a free one
     */
    public record AdminSettings(String address, int port, List<String> hosts) {

        public AdminSettings {
            hosts = List.copyOf(hosts);
        }
    }

    /** Log formats. */
    public enum Format {
        TEXT,
        JSON
    }
}
