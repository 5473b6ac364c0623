package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.k8s.events.KubernetesServiceEvents;
import dev.poolkeeper.k8s.lease.LeaderElection;
import dev.poolkeeper.k8s.lease.LeadershipListener;
import dev.poolkeeper.k8s.lease.LeaseResourceLock;
import dev.poolkeeper.k8s.lease.ResourceLockStatus;
import dev.poolkeeper.k8s.policies.PolicyWatcher;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.ports.Term;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a member of the cluster: its watches, its leadership and its writes. Thread-safe.
 *
 * @param leads started right away in a process that always leads
 * @param isSound whether this process may still lead then
 * @param connections closed by {@link #leave}
 */
public record Membership(
        Watching watching,
        Writing writing,
        Engine engine,
        LeadershipListener leads,
        BooleanSupplier isSound,
        Connections connections) {

    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    /**
     * What this process watches.
     *
     * @param cluster watches the objects that pools depend on
     * @param policies watches retry policies; empty if those of the cluster are not used
     */
    public record Watching(ClusterWatcher cluster, Optional<PolicyWatcher> policies) {}

    /**
     * What this process writes to the cluster; nothing in a dry run.
     *
     * @param election empty if there is none: then this process always leads
     * @param lock the lock shared by all writers to the load balancers
     * @param events the event recorder
     */
    public record Writing(
            Optional<LeaderElection> election,
            Optional<LeaseResourceLock> lock,
            Optional<KubernetesServiceEvents> events) {}

    /** The resources behind all this. */
    @FunctionalInterface
    public interface Connections extends AutoCloseable {

        /** Closes timers first, then connections. */
        @Override
        void close();
    }

    void start() {
        watching.cluster().start();
        watching.policies().ifPresent(PolicyWatcher::start);
        writing.election().ifPresentOrElse(this::elect, this::leadWithoutElection);
    }

    private void elect(LeaderElection election) {
        writing.lock().ifPresent(lock -> lock.watchWhile(() -> !election.isLeader()));
        election.start();
    }

    private void leadWithoutElection() {
        log.atInfo().log("Leading without leader election");
        leads.started(Term.during(isSound));
    }

    /** Whether all watched objects were listed at least once. */
    public boolean hasSynced() {
        return watching.cluster().hasSynced();
    }

    /** The current status of this replica in the cluster. */
    public DaemonStatus.Cluster status() {
        return new DaemonStatus.Cluster(
                watching.cluster().statuses(),
                watching.policies().map(PolicyWatcher::statuses).orElse(List.of()),
                writing.election()
                        .map(election -> new DaemonStatus.Election(true, election.isLeader(), election.leader()))
                        .orElse(DaemonStatus.Election.NONE),
                writing.lock().map(LeaseResourceLock::status).orElse(ResourceLockStatus.NONE),
                writing.events()
                        .map(events -> new DaemonStatus.Events(events.written(), events.dropped(), events.suppressed()))
                        .orElse(DaemonStatus.Events.NONE));
    }

    /** No call may start any more; the Lease is kept for those in progress. */
    void stopLeading() {
        writing.election().ifPresent(LeaderElection::stopLeading);
        engine.shutdown();
    }

    /**
     * @param clean whether nothing is in progress any more; if not, the Lease has to expire before another replica may
     *     lead
     */
    void leave(boolean clean) {
        watching.policies().ifPresent(PolicyWatcher::close);
        watching.cluster().close();
        writing.election().ifPresent(clean ? LeaderElection::release : LeaderElection::abandon);
        connections.close();
    }
}
