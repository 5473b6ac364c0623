package dev.poolkeeper.core.engine;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.guard.Guard;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.guard.Guards;
import dev.poolkeeper.core.guard.HoldNotices;
import dev.poolkeeper.core.known.KnownPools;
import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.UpdaterMetrics;
import dev.poolkeeper.ports.WriteQuota;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes an {@link Engine}. Everything has a default but what {@link Engine#builder} takes. Not thread-safe. */
public final class EngineBuilder {

    private final ClusterView view;
    private final BackendPools pools;
    private final PoolDirectory directory;
    private final Time time;
    private ResourceLock resourceLock = ResourceLock.NONE;
    private ServiceEvents events = event -> {};
    private UpdaterMetrics metrics = UpdaterMetrics.NONE;
    private RetryBudget budget = RetryBudget.ENDLESS;
    private WriteQuota quota = WriteQuota.UNKNOWN;
    private Optional<Consumer<Plan>> dryRun = Optional.empty();
    private EngineSettings settings = EngineSettings.DEFAULT;
    private Lanes lanes = Lanes.oneAfterAnother(new ReentrantLock());
    private BooleanSupplier hasSynced = () -> true;
    private Function<Instant, String> instantText = DateTimeFormatter.ISO_INSTANT::format;

    EngineBuilder(ClusterView view, BackendPools pools, PoolDirectory directory, Time time) {
        this.view = requireNonNull(view, "view");
        this.pools = requireNonNull(pools, "pools");
        this.directory = requireNonNull(directory, "directory");
        this.time = requireNonNull(time, "time");
    }

    /** How the engine works. Default: {@link EngineSettings#DEFAULT}. */
    public EngineBuilder settings(EngineSettings value) {
        settings = requireNonNull(value, "settings");
        return this;
    }

    /** How load balancers are served. Default: one after another, in the thread that ticks. */
    public EngineBuilder lanes(Lanes value) {
        lanes = requireNonNull(value, "lanes");
        return this;
    }

    /** The lock that other writers to the load balancers honour. Default: there are none. */
    public EngineBuilder resourceLock(ResourceLock value) {
        resourceLock = requireNonNull(value, "resourceLock");
        return this;
    }

    /** Where events about Services go. Default: nowhere. */
    public EngineBuilder events(ServiceEvents value) {
        events = requireNonNull(value, "events");
        return this;
    }

    /** What observes updates. Default: nothing. */
    public EngineBuilder metrics(UpdaterMetrics value) {
        metrics = requireNonNull(value, "metrics");
        return this;
    }

    /** What caps retries across ticks, in addition to {@link EngineSettings#maxRetries}. Default: nothing. */
    public EngineBuilder budgetAcrossTicks(RetryBudget value) {
        budget = requireNonNull(value, "budget");
        return this;
    }

    /**
     * Reads and never writes; emits no events and counts nothing.
     *
     * @param wouldWrite takes each plan that is not written; thread-safe, never blocks
     */
    public EngineBuilder dryRun(Consumer<Plan> wouldWrite) {
        dryRun = Optional.of(wouldWrite);
        return this;
    }

    /** Whether the view has seen the whole cluster; nothing is listed before that. Default: always. */
    public EngineBuilder hasSynced(BooleanSupplier value) {
        hasSynced = requireNonNull(value, "hasSynced");
        return this;
    }

    /**
     * How much is left of the quota of writes that other writers share. While that is little, the eager pace writes
     * outages first and the rest one at a time. Default: nothing is known of it.
     */
    public EngineBuilder quota(WriteQuota value) {
        quota = requireNonNull(value, "quota");
        return this;
    }

    /** How an instant is written in an event's message. Default: as RFC 3339 writes it. */
    public EngineBuilder instantText(Function<Instant, String> value) {
        instantText = requireNonNull(value, "instantText");
        return this;
    }

    /** The engine. The view reports to it from now on. */
    public Engine build() {
        Assembly.Ports ports = new Assembly.Ports(
                pools,
                directory,
                resourceLock,
                dryRun.isPresent() ? event -> {} : events,
                dryRun.isPresent() ? UpdaterMetrics.NONE : metrics,
                budget,
                quota,
                dryRun);
        Freshness freshness = new Freshness(time, ports.metrics()::changeWritten);
        KnownPools known = new KnownPools(freshness);
        HoldNotices notices = new HoldNotices(ports.events());
        Optional<ActiveGuards> guards =
                settings.guards().map(wanted -> new ActiveGuards(wanted, waveWait(wanted), view, known, notices, time));
        Guard all = guards.map(ActiveGuards::all).orElseGet(() -> new Guards(List.of()));
        Assembly assembly = new Assembly(ports, view, settings, lanes, time, known, freshness, all, instantText);
        Engine engine = new Engine(assembly, guards, notices, hasSynced);
        view.listen(engine.changes());
        return engine;
    }

    /** At ticks a wave is seen as a whole anyway. */
    private Duration waveWait(GuardSettings guards) {
        return settings.pace() instanceof Pace.Eager ? guards.brake().window() : Duration.ZERO;
    }
}
