package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.status.DaemonStatus;
import dev.poolkeeper.app.admin.status.DaemonStatus.Gate;
import dev.poolkeeper.app.admin.status.DaemonStatus.IsolatedLoadBalancer;
import dev.poolkeeper.app.admin.status.DaemonStatus.Policy;
import dev.poolkeeper.app.admin.status.DaemonStatus.Watch;
import dev.poolkeeper.app.config.FileSource;
import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
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
            Engine engine,
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
        EngineStatus engine = parts.engine().status();
        GateStatus gates = parts.gates().get();
        return new DaemonStatus(
                new DaemonStatus.Program(
                        facts.version(),
                        facts.holder(),
                        now,
                        started,
                        parts.membership().hasSynced() && parts.engine().hasListed()),
                new DaemonStatus.Leadership(
                        facts.elected(),
                        parts.membership().isLeader(),
                        parts.membership().leader().orElse(null),
                        engine.leadingSince().orElse(null)),
                lock(),
                gates(gates),
                new DaemonStatus.Budget(
                        parts.retries().budget().toString(),
                        balance(),
                        parts.retries().refused()),
                parts.membership().watcher().statuses().stream()
                        .map(StatusSource::watch)
                        .toList(),
                directory(engine),
                ticks(engine),
                new DaemonStatus.Writing(
                        engine.holds().paused(),
                        facts.dryRun(),
                        engine.holds().braked().stream()
                                .findFirst()
                                .map(StatusSource::brake)
                                .orElse(null)),
                policies(),
                parts.permissions().missing(),
                engine.holds().forbidden().stream()
                        .map(one -> new IsolatedLoadBalancer(one.loadBalancer().toString(), one.answer(), one.until()))
                        .toList(),
                PoolRows.of(engine));
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

    private static DaemonStatus.Directory directory(EngineStatus engine) {
        Stream<String> ambiguous = engine.ambiguous().stream()
                .map(one -> "Service %s: several load balancers have a pool %s: %s"
                        .formatted(one.service(), one.pool(), one.places()));
        return new DaemonStatus.Directory(
                engine.listing().last().orElse(null),
                known(engine.listing().next()),
                engine.listing().lastResync().orElse(null),
                engine.listing().nextResync().orElse(null),
                engine.listing().failure().map(Failure::describe).orElse(null),
                ambiguous.toList(),
                engine.withoutPool());
    }

    private static @Nullable Instant known(Instant instant) {
        return instant.equals(Instant.MIN) || instant.equals(Instant.MAX) ? null : instant;
    }

    private static DaemonStatus.Ticks ticks(EngineStatus engine) {
        EngineStatus.Work work = engine.work();
        return new DaemonStatus.Ticks(
                work.lastTick().orElse(null),
                work.operations(),
                work.parkedPools(),
                work.nextEligibleAt().orElse(null));
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
