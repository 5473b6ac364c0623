package dev.poolkeeper.app.daemon;

import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.k8s.lease.LeaderElection;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.ports.SystemTime;
import dev.poolkeeper.ports.Term;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** This process as a member of the cluster: what it watches, and whether it leads. Thread-safe. */
public final class Membership {

    private final ClusterWatcher watcher;
    private final @Nullable LeaderElection election;
    private final Engine engine;
    private final SystemTime time;
    private final List<KubernetesClient> clients;

    /** @param election null where there is none: then this process always leads */
    public Membership(
            ClusterWatcher watcher,
            @Nullable LeaderElection election,
            Engine engine,
            SystemTime time,
            List<KubernetesClient> clients) {
        this.watcher = watcher;
        this.election = election;
        this.engine = engine;
        this.time = time;
        this.clients = List.copyOf(clients);
    }

    void start() {
        watcher.start();
        if (election == null) {
            engine.startLeading(Term.untilEnded());
        } else {
            election.start();
        }
    }

    /** Whether the whole cluster was told of. */
    public boolean hasSynced() {
        return watcher.hasSynced();
    }

    public ClusterWatcher watcher() {
        return watcher;
    }

    /** Whether this process may write now. */
    public boolean isLeader() {
        return election == null || election.isLeader();
    }

    /** Who leads; empty where there is no election, or nobody is known to. */
    public Optional<String> leader() {
        return election == null ? Optional.empty() : election.leader();
    }

    /** No call may start any more; the Lease is kept for those that run. */
    void stopLeading() {
        if (election != null) {
            election.stopLeading();
        }
        engine.shutdown();
    }

    /** @param clean whether nothing is under way any more; else the Lease has to expire before another may lead */
    void leave(boolean clean) {
        watcher.close();
        if (election != null && clean) {
            election.release();
        } else if (election != null) {
            election.abandon();
        }
        time.close();
        clients.forEach(KubernetesClient::close);
    }
}
