package dev.poolkeeper.app.admin.status;

import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the daemon is doing, at one moment. A plain tree without behaviour: who fills it knows the daemon, who shows it
 * does not. Immutable. Texts may hold anything; whoever shows them escapes them. They never hold a secret.
 *
 * @param program which program this is
 * @param leadership who leads
 * @param resourceLock the lock that Azure's other writers honour
 * @param gates the throttling gates that there are, open ones too
 * @param budget the retry budget
 * @param watches one for each kind that is watched
 * @param directory where the pools are, and when that was last asked
 * @param ticks the updates
 * @param writing what keeps all writes, or many, from being made
 * @param policies the retry policies that were read
 * @param missingPermissions what the last probe found missing
 * @param isolatedLoadBalancers load balancers that are left alone
 * @param pools every pool of a local Service
 */
public record DaemonStatus(
        Program program,
        Leadership leadership,
        Lock resourceLock,
        List<Gate> gates,
        Budget budget,
        List<Watch> watches,
        Directory directory,
        Ticks ticks,
        Writing writing,
        List<Policy> policies,
        List<MissingPermission> missingPermissions,
        List<IsolatedLoadBalancer> isolatedLoadBalancers,
        List<PoolStatus> pools) {

    public DaemonStatus {
        gates = List.copyOf(gates);
        watches = List.copyOf(watches);
        policies = List.copyOf(policies);
        missingPermissions = List.copyOf(missingPermissions);
        isolatedLoadBalancers = List.copyOf(isolatedLoadBalancers);
        pools = List.copyOf(pools);
    }

    /** Whether no watch is open, so that no change in the cluster is seen. */
    public boolean isCutOff() {
        return watches.stream().noneMatch(Watch::open);
    }

    /**
     * Which program this is.
     *
     * @param version as it was built
     * @param identity how this replica signs its leases
     * @param now the moment that all of this holds for
     * @param started when the process started
     * @param ready whether the cluster has been read in whole
     */
    public record Program(String version, String identity, Instant now, Instant started, boolean ready) {}

    /**
     * Who leads.
     *
     * @param elected whether there is an election; without one every replica leads
     * @param leading whether this replica leads
     * @param leader who leads as far as this replica knows; null where nobody is known to
     * @param since since when this replica leads or does not
     */
    public record Leadership(
            boolean elected,
            boolean leading,
            @Nullable String leader,
            @Nullable Instant since) {}

    /**
     * The lock that Azure's other writers honour.
     *
     * @param held whether this replica holds it
     * @param holder who holds it as far as was seen last; null where no one does
     * @param since since when, as the holder says; null where it does not say
     * @param expires when the holder's Lease expires unless it is renewed; null without a holder
     * @param availableAt when this replica can get it at the earliest; null where nothing is known to prevent that
     * @param error why it could not be asked for; null where it could
     */
    public record Lock(
            boolean held,
            @Nullable String holder,
            @Nullable Instant since,
            @Nullable Instant expires,
            @Nullable Instant availableAt,
            @Nullable String error) {}

    /**
     * A throttling gate.
     *
     * @param name {@code reads}, {@code writes}, or a load balancer's name
     * @param shutUntil until when nothing goes through; null while it is open
     */
    public record Gate(String name, @Nullable Instant shutUntil) {}

    /**
     * The retry budget.
     *
     * @param rule its kind and size, in words
     * @param balance how many retries would be admitted at once now; null where there is no limit
     * @param refused how many it refused since the start, of groups and inside calls
     */
    public record Budget(String rule, @Nullable Long balance, long refused) {}

    /**
     * How fresh what is known of one kind is.
     *
     * @param kind {@code Service}, {@code EndpointSlice} or {@code Node}
     * @param synced whether everything was listed at least once
     * @param open whether a watch is open now
     * @param objects how many are known
     * @param lastSign when the API server last said anything about this kind
     * @param lists how many lists were completed
     * @param stalls how many watches were given up because they were silent
     * @param error what went wrong last; null where it works
     */
    public record Watch(
            String kind,
            boolean synced,
            boolean open,
            long objects,
            @Nullable Instant lastSign,
            long lists,
            long stalls,
            @Nullable String error) {}

    /**
     * Where the pools are.
     *
     * @param lastRefresh when the load balancers were last listed; null before the first time
     * @param nextRefresh when they are listed next
     * @param lastResync when all pools were last compared with what is wanted
     * @param nextResync when they are compared next; null where that is off
     * @param error why the last listing failed; null where it did not
     * @param warnings what is ambiguous or cannot be served, a line each
     * @param servicesWithoutPool local Services for which no load balancer has a pool yet
     */
    public record Directory(
            @Nullable Instant lastRefresh,
            @Nullable Instant nextRefresh,
            @Nullable Instant lastResync,
            @Nullable Instant nextResync,
            @Nullable String error,
            List<String> warnings,
            List<ServiceName> servicesWithoutPool) {

        public Directory {
            warnings = List.copyOf(warnings);
            servicesWithoutPool = List.copyOf(servicesWithoutPool);
        }
    }

    /**
     * The updates.
     *
     * @param lastSuccess when a tick last ended without an error of its own
     * @param queued how many operations wait
     * @param parkedGroups how many pools' operations wait for their time
     * @param nextEligible when the first of them may go; null where none waits
     */
    public record Ticks(
            @Nullable Instant lastSuccess,
            long queued,
            long parkedGroups,
            @Nullable Instant nextEligible) {}

    /**
     * What keeps all writes, or many, from being made.
     *
     * @param paused whether all writes are paused by configuration
     * @param dryRun whether nothing is ever written
     * @param brake what the safety brake holds back; null where it holds nothing back
     */
    public record Writing(
            boolean paused, boolean dryRun, @Nullable Brake brake) {}

    /**
     * A removal that the safety brake holds back.
     *
     * @param id what an operator agrees to
     * @param removals how many addresses would go
     * @param addresses how many there are in all
     * @param since since when it is held back
     * @param until when it is carried out if it stays wanted
     */
    public record Brake(String id, long removals, long addresses, Instant since, Instant until) {}

    /**
     * A document with retry policies.
     *
     * @param source where it came from
     * @param accepted whether it was understood; if not, the one before it still holds
     * @param detail what holds, or what is wrong with it
     */
    public record Policy(String source, boolean accepted, String detail) {}

    /**
     * A permission that is missing.
     *
     * @param where {@code Kubernetes} or {@code Azure}
     * @param permission what is not allowed
     * @param remedy what to do about it
     */
    public record MissingPermission(String where, String permission, String remedy) {}

    /**
     * A load balancer that is left alone because Azure refuses access to it.
     *
     * @param name its name
     * @param reason what Azure said
     * @param until when it is tried again; null if only after a restart
     */
    public record IsolatedLoadBalancer(
            String name, String reason, @Nullable Instant until) {}
}
