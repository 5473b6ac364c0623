package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.status.DaemonStatus;
import dev.poolkeeper.app.admin.status.DaemonStatus.Gate;
import dev.poolkeeper.app.admin.status.DaemonStatus.IsolatedLoadBalancer;
import dev.poolkeeper.app.admin.status.DaemonStatus.Policy;
import dev.poolkeeper.app.admin.status.DaemonStatus.Watch;
import dev.poolkeeper.app.config.FileSource;
import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.keeper.KeeperStatus;
import dev.poolkeeper.core.keeper.PoolKeeper;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.lease.ResourceLockStatus;
import dev.poolkeeper.k8s.watch.WatchStatus;
import dev.poolkeeper.ports.Failure;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts the daemon's status together when somebody asks for it. Thread-safe; makes no call. */
public final class StatusSource {

    private final Parts parts;
    private final Facts facts;
    private final InstantSource clock;
    private final Instant started;

    /** What is asked. */
    public record Parts(
            PoolKeeper keeper,
            Membership membership,
            RetryModel retries,
            FileSource<LiveSettings> files,
            Permissions permissions,
            Supplier<GateStatus> gates,
            Supplier<ResourceLockStatus> lock) {}

    /**
     * What does not change.
     *
     * @param version of the program
     * @param holder how this process signs Leases
     * @param elected whether there is an election
     * @param dryRun whether nothing is written
     */
    public record Facts(String version, String holder, boolean elected, boolean dryRun) {}

    public StatusSource(Parts parts, Facts facts, InstantSource clock) {
        this.parts = parts;
        this.facts = facts;
        this.clock = clock;
        this.started = clock.instant();
    }

    /** The status at this moment. */
    public DaemonStatus status() {
        Instant now = clock.instant();
        KeeperStatus keeper = parts.keeper().status();
        GateStatus gates = parts.gates().get();
        return new DaemonStatus(
                new DaemonStatus.Program(
                        facts.version(),
                        facts.holder(),
                        now,
                        started,
                        parts.membership().hasSynced() && parts.keeper().hasListed()),
                new DaemonStatus.Leadership(
                        facts.elected(),
                        parts.membership().isLeader(),
                        parts.membership().leader().orElse(null),
                        keeper.leadingSince().orElse(null)),
                lock(),
                gates(gates),
                new DaemonStatus.Budget(
                        parts.retries().budget().toString(),
                        balance(),
                        parts.retries().refused()),
                parts.membership().watcher().statuses().stream()
                        .map(StatusSource::watch)
                        .toList(),
                directory(keeper),
                ticks(keeper, now),
                new DaemonStatus.Writing(
                        keeper.paused(),
                        facts.dryRun(),
                        keeper.braked().map(StatusSource::brake).orElse(null)),
                policies(),
                parts.permissions().missing(),
                keeper.forbidden().stream()
                        .map(one -> new IsolatedLoadBalancer(one.loadBalancer().toString(), one.reason(), one.until()))
                        .toList(),
                new PoolRows(keeper, gates).rows());
    }

    private @Nullable Long balance() {
        OptionalLong balance = parts.retries().budget().balance();
        return balance.isPresent() ? balance.getAsLong() : null;
    }

    private DaemonStatus.Lock lock() {
        ResourceLockStatus lock = parts.lock().get();
        return new DaemonStatus.Lock(
                lock.held(),
                lock.holder().orElse(null),
                lock.holding().flatMap(ResourceLockStatus.Holding::since).orElse(null),
                lock.holding().map(ResourceLockStatus.Holding::expires).orElse(null),
                lock.availableAt().orElse(null),
                lock.error().orElse(null));
    }

    private static List<Gate> gates(GateStatus gates) {
        List<Gate> all = new ArrayList<>();
        all.add(new Gate("reads", gates.readsShutUntil()));
        all.add(new Gate("writes", gates.writesShutUntil()));
        gates.busyUntil().forEach((name, until) -> all.add(new Gate(name.toString(), until)));
        return all;
    }

    private static Watch watch(WatchStatus watch) {
        return new Watch(
                watch.kind(),
                watch.synced(),
                watch.watching(),
                watch.objects(),
                watch.lastSign().orElse(null),
                watch.lists(),
                watch.stalls(),
                watch.lastError().orElse(null));
    }

    private static DaemonStatus.Directory directory(KeeperStatus keeper) {
        Stream<String> ambiguous = keeper.ambiguous().stream()
                .map(one -> "Service %s: several load balancers have a pool %s: %s"
                        .formatted(one.service(), one.pool(), one.places()));
        return new DaemonStatus.Directory(
                keeper.lastListing().orElse(null),
                known(keeper.nextListing()),
                keeper.lastResync().orElse(null),
                keeper.nextResync().orElse(null),
                keeper.listingFailure().map(Failure::describe).orElse(null),
                ambiguous.toList(),
                keeper.withoutPool());
    }

    private static @Nullable Instant known(Instant instant) {
        return instant.equals(Instant.MIN) || instant.equals(Instant.MAX) ? null : instant;
    }

    private DaemonStatus.Ticks ticks(KeeperStatus keeper, Instant now) {
        OperationQueue queue = parts.keeper().queue();
        return new DaemonStatus.Ticks(
                keeper.lastTick().orElse(null),
                keeper.waiting(),
                parkedPools(queue, now),
                queue.nextEligibleAt().filter(now::isBefore).orElse(null));
    }

    /** How many pools have something to wait for. */
    static long parkedPools(OperationQueue queue, Instant now) {
        return queue.parked(null, now).stream()
                .map(parked -> parked.operation().pool())
                .distinct()
                .count();
    }

    private static DaemonStatus.Brake brake(BrakedRemoval removal) {
        return new DaemonStatus.Brake(removal.id(), removal.removed(), removal.all(), removal.since(), removal.until());
    }

    private List<Policy> policies() {
        List<Policy> policies = new ArrayList<>();
        LiveSettings settings = parts.files().current();
        Optional<BadInputException> trouble = parts.files().trouble();
        policies.add(new Policy(
                settings.files().toString(),
                trouble.isEmpty(),
                trouble.<String>map(bad -> "the last good settings stay in force: " + bad.faults())
                        .orElseGet(() -> settings.retries().toString())));
        return policies;
    }
}
