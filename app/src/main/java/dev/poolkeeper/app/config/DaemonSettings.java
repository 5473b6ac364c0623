package dev.poolkeeper.app.config;

import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about the daemon alone. Every component has a valid value; {@code docs/configuration.md}
 * names the keys and their bounds.
 *
 * @param kubernetes which API server, as whom
 * @param dryRun whether everything is done but the writes
 * @param policies which retry policies of the cluster are obeyed
 * @param calls how load balancers are served
 * @param election which of the replicas writes
 * @param lock which of all writers to the load balancers writes
 * @param gate whether Pods may wait for their node to be in the pools
 * @param admin where the daemon's own pages are served
 * @param logFormat the form of the log
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
     * Which API server is spoken to.
     *
     * @param kubeconfig the file that says so; null: {@code KUBECONFIG}, {@code ~/.kube/config} or the pod's service
     *     account, as Fabric8 finds it
     * @param context its context; null: the current one
     * @param podName the name of this pod there; null outside a pod
     */
    public record KubernetesConnection(
            @Nullable Path kubeconfig,
            @Nullable String context,
            @Nullable String podName) {}

    /**
     * Retry policies that are objects of the cluster.
     *
     * @param watched whether they are obeyed
     * @param namespace where
     */
    public record PolicyObjects(boolean watched, String namespace) {}

    /**
     * How load balancers are served.
     *
     * @param concurrency how many side by side; 1 to 64
     * @param shutdownGrace how long a write that was accepted is followed after SIGTERM; zero: not at all
     */
    public record CallSettings(int concurrency, Duration shutdownGrace) {}

    /**
     * The election between replicas.
     *
     * @param enabled whether there is one; without it every replica writes
     * @param leaseName the Lease's name
     * @param leaseNamespace its namespace
     * @param times its times
     */
    public record ElectionKeys(boolean enabled, String leaseName, String leaseNamespace, ElectionSettings times) {}

    /**
     * The lock between all writers to the load balancers.
     *
     * @param leaseName the Lease's name
     * @param leaseNamespace its namespace
     * @param times its times
     */
    public record LockKeys(String leaseName, String leaseNamespace, ResourceLockSettings times) {}

    /**
     * The readiness gate.
     *
     * @param enabled whether conditions are set
     * @param namespaces where Pods may opt in; empty for all namespaces
     * @param timeout after which a Pod waits no longer; zero for never
     */
    public record GateKeys(boolean enabled, List<String> namespaces, Duration timeout) {

        public GateKeys {
            namespaces = List.copyOf(namespaces);
        }
    }

    /**
     * Where {@code /livez}, {@code /readyz}, {@code /metrics} and {@code /statusz} are served.
     *
     * @param address an IP address
     * @param port 0 to 65535; 0: a free one
     */
    public record AdminSettings(String address, int port) {}

    /** Forms of a log. */
    public enum Format {
        TEXT,
        JSON
    }
}
