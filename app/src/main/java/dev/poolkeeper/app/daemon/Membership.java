package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.k8s.events.KubernetesServiceEvents;
import dev.poolkeeper.k8s.lease.LeaderElection;
import dev.poolkeeper.k8s.lease.LeaseResourceLock;
import dev.poolkeeper.k8s.lease.ResourceLockStatus;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.ports.Term;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a member of the cluster: what it watches, whether it leads, and what it writes there. Thread-safe.
 */
public final class Membership {

    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final ClusterWatcher watcher;
    private final Writing writing;
    private final Engine engine;
    private final Connections connections;

    /**
     * What this process writes to the cluster; nothing of it in a dry run.
     *
     * @param election empty where there is none: then this process always leads
     * @param lock the lock that all writers to the load balancers take
     * @param events the event recorder
     */
    public record Writing(
            Optional<LeaderElection> election,
            Optional<LeaseResourceLock> lock,
            Optional<KubernetesServiceEvents> events) {}

    /** What all this runs on. */
    @FunctionalInterface
    public interface Connections extends AutoCloseable {

        /** Timers first, then connections. */
        @Override
        void close();
    }

    /** @param connections closed by {@link #leave} */
    public Membership(ClusterWatcher watcher, Writing writing, Engine engine, Connections connections) {
        this.watcher = watcher;
        this.writing = writing;
        this.engine = engine;
        this.connections = connections;
    }

    void start() {
        watcher.start();
        writing.election().ifPresentOrElse(LeaderElection::start, this::leadWithoutElection);
    }

    private void leadWithoutElection() {
        log.atInfo().log("Leading; there is no election");
        engine.startLeading(Term.untilEnded());
    }

    /** Whether the cluster was read in full. */
    public boolean hasSynced() {
        return watcher.hasSynced();
    }

    /** What this replica is to the cluster now. */
    DaemonStatus.Cluster status() {
        return new DaemonStatus.Cluster(
                watcher.statuses(),
                writing.election()
                        .map(election -> new DaemonStatus.Election(true, election.isLeader(), election.leader()))
                        .orElse(DaemonStatus.Election.NONE),
                writing.lock().map(LeaseResourceLock::status).orElse(ResourceLockStatus.NONE),
                writing.events()
                        .map(events -> new DaemonStatus.Events(events.written(), events.dropped(), events.suppressed()))
                        .orElse(DaemonStatus.Events.NONE));
    }

    /** No call may start any more; the Lease is kept for those that run. */
    void stopLeading() {
        writing.election().ifPresent(LeaderElection::stopLeading);
        engine.shutdown();
    }

    /** @param clean whether nothing is in progress any more; else the Lease has to expire before another may lead */
    void leave(boolean clean) {
        watcher.close();
        writing.election().ifPresent(clean ? LeaderElection::release : LeaderElection::abandon);
        connections.close();
    }
}
