package dev.poolkeeper.app.status;

import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.azure.http.QuotaStatus;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.readiness.ReadinessStatus;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.k8s.lease.ResourceLockStatus;
import dev.poolkeeper.k8s.policies.PolicyWatcher.KindStatus;
import dev.poolkeeper.k8s.watch.WatchStatus;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The status of the daemon at one moment, combined from the reports of its parts. The source of the page, the JSON and
 * the gauges. Immutable. Texts may contain any characters, so renderers must escape them. They never contain a secret.
 *
 * @param program the program
 * @param engine the pools and the work on them
 * @param cluster this replica's relation to the cluster
 * @param azure throttling, quota and the retry budget
 * @param settings the settings in force
 * @param readinessGate the Pods waiting for their readiness gate; empty if it is disabled
 * @param policies the retry policies
 * @param missingPermissions the permissions that the last probe found missing
 * @param lastHour samples of the last hour, oldest first
 */
public record DaemonStatus(
        Program program,
        EngineStatus engine,
        Cluster cluster,
        Azure azure,
        Settings settings,
        Optional<ReadinessStatus> readinessGate,
        Policies policies,
        List<MissingPermission> missingPermissions,
        List<RecentHour.Moment> lastHour) {

    public DaemonStatus {
        missingPermissions = List.copyOf(missingPermissions);
        lastHour = List.copyOf(lastHour);
    }

    /** Whether all watched objects were read and the load balancers were listed. */
    public boolean isReady() {
        return cluster.watches().stream().allMatch(WatchStatus::synced)
                && engine.listing().last().isPresent();
    }

    /** Whether no watch is open, so that changes in the cluster go unnoticed. */
    public boolean isCutOff() {
        return cluster.watches().stream().noneMatch(WatchStatus::watching);
    }

    /**
     * The program.
     *
     * @param version the built version
     * @param identity the identity of this replica in its Leases
     * @param started when the process started
     * @param lastTick when a tick last ended without an internal error; empty for never
     */
    public record Program(String version, String identity, Instant started, Optional<Instant> lastTick) {}

    /**
     * This replica's relation to the cluster.
     *
     * @param watches one for each kind that pools depend on
     * @param policyKinds one for each kind of retry policy; none if they are not watched
     * @param election the leader election
     * @param resourceLock the lock shared by all writers to the load balancers
     * @param events the counters of the event recorder
     */
    public record Cluster(
            List<WatchStatus> watches,
            List<KindStatus> policyKinds,
            Election election,
            ResourceLockStatus resourceLock,
            Events events) {

        public Cluster {
            watches = List.copyOf(watches);
            policyKinds = List.copyOf(policyKinds);
        }
    }

    /**
     * The leader election.
     *
     * @param enabled whether leader election is enabled; without it every replica leads
     * @param leading whether this replica leads
     * @param leader the identity of the leader as known to this replica; empty if unknown
     */
    public record Election(boolean enabled, boolean leading, Optional<String> leader) {

        /** Leader election is disabled. */
        public static final Election NONE = new Election(false, true, Optional.empty());
    }

    /**
     * Kubernetes Events since the start.
     *
     * @param written how many were written
     * @param dropped how many were dropped
     * @param suppressed how many were suppressed by their Service's rate limit
     */
    public record Events(long written, long dropped, long suppressed) {

        /** None. */
        public static final Events NONE = new Events(0, 0, 0);
    }

    /**
     * Throttling, quota and the retry budget.
     *
     * @param gates the throttling gates
     * @param quota the remaining ARM quota
     * @param retryBudget the retry budget
     */
    public record Azure(GateStatus gates, QuotaStatus quota, RetryModel.BudgetStatus retryBudget) {}

    /**
     * The settings in force.
     *
     * @param dryRun whether writes are disabled
     * @param live the settings that follow their files
     * @param faults why the current files are not in force and the previous settings still are; empty if the files are
     *     in force
     */
    public record Settings(boolean dryRun, LiveSettings live, List<InputFault> faults) {

        public Settings {
            faults = List.copyOf(faults);
        }
    }

    /**
     * The retry policies.
     *
     * @param retries the settings in force: from policies of the cluster, of files, or the configuration's keys
     * @param retriesFrom the source of the retry policy
     * @param budgetFrom the source of the retry budget
     * @param accepted how many objects of the cluster are in force
     * @param refused how many objects are not
     * @param objects the objects of the cluster, refused ones first; truncated if there are many
     */
    public record Policies(
            RetrySettings retries,
            String retriesFrom,
            String budgetFrom,
            long accepted,
            long refused,
            List<PolicyObject> objects) {

        public Policies {
            objects = List.copyOf(objects);
        }
    }

    /**
     * A retry policy object of the cluster.
     *
     * @param object its kind, namespace and name
     * @param accepted whether it is in force
     * @param reason the reason in its status
     * @param message a readable explanation
     */
    public record PolicyObject(String object, boolean accepted, String reason, String message) {}

    /**
     * A permission that is missing.
     *
     * @param where {@code Kubernetes} or {@code Azure}
     * @param permission the denied action
     * @param remedy how to grant it
     */
    public record MissingPermission(String where, String permission, String remedy) {}
}
