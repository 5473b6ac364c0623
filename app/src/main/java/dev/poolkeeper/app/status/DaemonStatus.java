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
 * What the daemon is doing, at one moment: what each of its parts reports, put side by side. The page, the JSON and the
 * gauges all show this. Immutable. Texts may hold anything; who shows them escapes them. They never hold a secret.
 *
 * @param program the program
 * @param engine the pools, and what is done about them
 * @param cluster what this replica is to the cluster
 * @param azure what Azure and the retry budget allow
 * @param settings which settings are in force
 * @param readinessGate the Pods that wait for their readiness gate; empty where it is switched off
 * @param policies how calls are retried
 * @param missingPermissions what the last probe found missing
 * @param lastHour how the pools were, the oldest moment first
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

    /** Whether the cluster was read in full and the load balancers were listed. */
    public boolean isReady() {
        return cluster.watches().stream().allMatch(WatchStatus::synced)
                && engine.listing().last().isPresent();
    }

    /** Whether no watch is open, so that no change in the cluster is seen. */
    public boolean isCutOff() {
        return cluster.watches().stream().noneMatch(WatchStatus::watching);
    }

    /**
     * The program.
     *
     * @param version as it was built
     * @param identity the name of this replica in its Leases
     * @param started when the process started
     * @param lastTick when a tick last ended without an error of its own; empty for never
     */
    public record Program(String version, String identity, Instant started, Optional<Instant> lastTick) {}

    /**
     * What this replica is to the cluster.
     *
     * @param watches one for each kind that pools depend on
     * @param policyKinds one for each kind of retry policy; none where they are not watched
     * @param election who leads
     * @param resourceLock the lock that all writers to the load balancers take
     * @param events of the event recorder
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
     * Who leads.
     *
     * @param held whether there is an election; without one every replica leads
     * @param leading whether this replica leads
     * @param leader who leads as far as this replica knows; empty where no one is known to
     */
    public record Election(boolean held, boolean leading, Optional<String> leader) {

        /** There is none. */
        public static final Election NONE = new Election(false, true, Optional.empty());
    }

    /**
     * Kubernetes Events since the start.
     *
     * @param written those that were written
     * @param dropped those that were lost
     * @param suppressed those that were left out because their Service had too many
     */
    public record Events(long written, long dropped, long suppressed) {

        /** None. */
        public static final Events NONE = new Events(0, 0, 0);
    }

    /**
     * What Azure and the retry budget allow.
     *
     * @param gates the throttling gates
     * @param quota what is left of ARM's quota
     * @param retryBudget the retry budget
     */
    public record Azure(GateStatus gates, QuotaStatus quota, RetryModel.BudgetStatus retryBudget) {}

    /**
     * Which settings are in force.
     *
     * @param dryRun whether nothing is ever written
     * @param live those that follow their files
     * @param faults why the files as they are now are not in force, but what they said before; empty if they are
     */
    public record Settings(boolean dryRun, LiveSettings live, List<InputFault> faults) {

        public Settings {
            faults = List.copyOf(faults);
        }
    }

    /**
     * How calls are retried.
     *
     * @param retries what is in force: policies of the cluster, of files, or the configuration's keys
     * @param retriesFrom who says when calls are retried
     * @param budgetFrom who sets the budget
     * @param accepted how many objects of the cluster are obeyed
     * @param refused how many are not
     * @param objects of the cluster, those that are not obeyed first; not all of them if they are many
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
     * A retry policy that is an object of the cluster.
     *
     * @param object its kind, namespace and name
     * @param accepted whether it is obeyed
     * @param reason as in its status
     * @param message for people
     */
    public record PolicyObject(String object, boolean accepted, String reason, String message) {}

    /**
     * A permission that is missing.
     *
     * @param where {@code Kubernetes} or {@code Azure}
     * @param permission what is not allowed
     * @param remedy what to do about it
     */
    public record MissingPermission(String where, String permission, String remedy) {}
}
