package dev.poolkeeper.core.engine;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.Facts;
import dev.poolkeeper.core.facts.ServiceReports;
import dev.poolkeeper.core.facts.UpdateLog;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.WriteQuota;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link Engine}. Everything except the arguments of {@link Engine#builder} and {@link #hasSynced} has a
 * default. Not thread-safe.
 */
public final class EngineBuilder {

    private final ClusterView view;
    private final BackendPools pools;
    private final PoolDirectory directory;
    private final InstantSource clock;
    private final DoubleSupplier draws;
    private ResourceLock resourceLock = ResourceLock.NONE;
    private ServiceEvents events = event -> {};
    private final List<Consumer<Fact>> subscribers = new ArrayList<>();
    private Function<PoolKey, @Nullable Object> traces = pool -> null;
    private RetryBudget budget = RetryBudget.ENDLESS;
    private WriteQuota quota = WriteQuota.UNKNOWN;
    private Optional<Consumer<Plan>> dryRun = Optional.empty();
    private EngineSettings settings = EngineSettings.DEFAULT;
    private Executor executor = Runnable::run;
    private @Nullable Executor lister;
    private Assembly.Lanes lanes = Assembly.Lanes.single(new ReentrantLock(), false);
    private TickObserver ticks = TickObserver.LOG;
    private @Nullable BooleanSupplier hasSynced;
    private Function<Instant, String> instantText = DateTimeFormatter.ISO_INSTANT::format;

    EngineBuilder(ClusterView view, BackendPools pools, PoolDirectory directory, Time time) {
        this.view = requireNonNull(view, "view");
        this.pools = requireNonNull(pools, "pools");
        this.directory = requireNonNull(directory, "directory");
        this.clock = requireNonNull(time, "time").steady();
        this.draws = time::draw;
    }

    /** Default: {@link EngineSettings#DEFAULT}. */
    public EngineBuilder settings(EngineSettings value) {
        settings = requireNonNull(value, "settings");
        return this;
    }

    /**
     * Runs listings and updates; its number of threads bounds how many load balancers are updated at once. Default: the
     * thread that calls {@link Engine#step}, which then makes one listing or one update, and keeps the resource lock
     * while it answers that another update is due.
     */
    public EngineBuilder executor(Executor value) {
        executor = requireNonNull(value, "executor");
        return this;
    }

    /**
     * Serves all load balancers one after another, in the order of the queue. This is the default, with a lock that
     * nothing else acquires.
     *
     * @param value held while a pool is updated; shared with the embedder's own reconcile loop
     */
    public EngineBuilder serviceReconcileLock(Lock value) {
        lanes = Assembly.Lanes.single(requireNonNull(value, "serviceReconcileLock"), true);
        return this;
    }

    /**
     * Serves load balancers side by side. Updates of one load balancer never run at the same time: ARM refuses or
     * supersedes concurrent writes to one.
     *
     * @param value returns the lock of a load balancer, always the same one; held while a pool of it is updated, and
     *     shared with the embedder's own reconcile loop, which takes the locks of the load balancers it changes
     */
    public EngineBuilder serviceReconcileLocks(Function<ArmName, Lock> value) {
        lanes = new Assembly.Lanes(null, requireNonNull(value, "serviceReconcileLocks"), true);
        return this;
    }

    /** Serves load balancers side by side, each with a lock that nothing else acquires. */
    public EngineBuilder sideBySide() {
        Map<ArmName, Lock> own = new ConcurrentHashMap<>();
        lanes = new Assembly.Lanes(null, name -> own.computeIfAbsent(name, key -> new ReentrantLock()), false);
        return this;
    }

    /**
     * Runs listings, if not {@link #executor} does. An executor with few threads is no place for them: they would wait
     * for slow writes.
     */
    public EngineBuilder lister(Executor value) {
        lister = requireNonNull(value, "lister");
        return this;
    }

    /** The lock that other writers to the load balancers honour. Default: there are no other writers. */
    public EngineBuilder resourceLock(ResourceLock value) {
        resourceLock = requireNonNull(value, "resourceLock");
        return this;
    }

    /** Receives events about Services. Default: events are discarded. */
    public EngineBuilder events(ServiceEvents value) {
        requireNonNull(value, "events");
        events = event -> SafePorts.tell("ServiceEvents", () -> value.emit(event));
        return this;
    }

    /**
     * Another subscriber to what happens to pools. It is called before {@link #events}, by one thread at a time, and
     * must not block. No lock of the engine, the view or the embedder is held: with a {@code serviceReconcileLock},
     * what an update says is delivered once that is free again, else at once.
     */
    public EngineBuilder facts(Consumer<Fact> subscriber) {
        requireNonNull(subscriber, "subscriber");
        subscribers.add(fact -> SafePorts.tell("facts", () -> subscriber.accept(fact)));
        return this;
    }

    /**
     * Creates the {@link CallContext#trace} of each attempt to update a pool, before its {@link Fact.Began}. Default:
     * none.
     */
    public EngineBuilder traces(Function<PoolKey, @Nullable Object> value) {
        requireNonNull(value, "traces");
        traces = pool -> SafePorts.ask("traces", Optional.empty(), () -> Optional.ofNullable(value.apply(pool)))
                .orElse(null);
        return this;
    }

    /** Caps retries across ticks, in addition to {@link EngineSettings#maxRetries}. Default: no budget. */
    public EngineBuilder budgetAcrossTicks(RetryBudget value) {
        budget = requireNonNull(value, "budget");
        return this;
    }

    /**
     * Reads but never writes; emits no events and publishes no facts.
     *
     * @param wouldWrite receives each plan instead of writing it; must be thread-safe and must not block
     */
    public EngineBuilder dryRun(Consumer<Plan> wouldWrite) {
        requireNonNull(wouldWrite, "wouldWrite");
        dryRun = Optional.of(plan -> SafePorts.tell("dryRun", () -> wouldWrite.accept(plan)));
        return this;
    }

    /**
     * Whether the view was told of every Service, EndpointSlice and Node that exists; load balancers are not listed,
     * and nothing is written, before that. Required, because the engine cannot know: nodes of EndpointSlices that it
     * has not been told of yet would be removed from their pools.
     */
    public EngineBuilder hasSynced(BooleanSupplier value) {
        requireNonNull(value, "hasSynced");
        hasSynced = () -> SafePorts.ask("hasSynced", false, value::getAsBoolean);
        return this;
    }

    /**
     * The remaining write quota, which is shared with other writers. When it is low, the eager pace writes outages
     * first and the rest one at a time. Default: unknown.
     */
    public EngineBuilder quota(WriteQuota value) {
        requireNonNull(value, "quota");
        quota = new WriteQuota() {
            @Override
            public Level level() {
                return SafePorts.ask("WriteQuota", Level.AMPLE, value::level);
            }

            @Override
            public Optional<Instant> shutUntil(@Nullable ArmName loadBalancer) {
                return SafePorts.ask("WriteQuota", Optional.empty(), () -> value.shutUntil(loadBalancer));
            }
        };
        return this;
    }

    /** Observes each tick, which begins even if the observer throws. Default: errors are logged. */
    public EngineBuilder ticks(TickObserver value) {
        requireNonNull(value, "ticks");
        ticks = tick -> {
            List<CompletableFuture<Void>> begun = new ArrayList<>(1);
            Supplier<CompletableFuture<Void>> once = () -> {
                if (begun.isEmpty()) {
                    begun.add(tick.get());
                }
                return begun.get(0);
            };
            SafePorts.tell("ticks", () -> {
                CompletableFuture<Void> unused = value.observe(once);
            });
            return once.get();
        };
        return this;
    }

    /** Formats an instant in an event's message. Default: RFC 3339. */
    public EngineBuilder instantText(Function<Instant, String> value) {
        requireNonNull(value, "instantText");
        instantText =
                at -> SafePorts.ask("instantText", DateTimeFormatter.ISO_INSTANT.format(at), () -> value.apply(at));
        return this;
    }

    /**
     * Builds the engine and registers it as the view's listener.
     *
     * @throws IllegalStateException if {@link #hasSynced} was not called
     */
    public Engine build() {
        BooleanSupplier synced = hasSynced;
        if (synced == null) {
            throw new IllegalStateException("hasSynced(...) is required: without it, addresses that the view was not"
                    + " told of yet would be removed");
        }
        Assembly.Ports ports = new Assembly.Ports(pools, directory, resourceLock, budget, quota, dryRun);
        Facts facts = facts();
        Freshness freshness = new Freshness(clock, (pool, took) -> facts.append(new Fact.ChangeWritten(pool, took)));
        Pools known = new Pools(freshness, settings.guards().isPresent());
        Optional<ActiveGuards> guards = settings.guards()
                .map(wanted -> new ActiveGuards(wanted, waveWait(wanted), known, settings.model(), clock));
        Assembly assembly = new Assembly(
                ports,
                view,
                settings,
                lanes,
                executor,
                lister == null ? executor : lister,
                clock,
                draws,
                known,
                guards,
                ticks,
                facts,
                traces);
        Engine engine = new Engine(assembly, synced);
        view.listen(engine.changes());
        return engine;
    }

    private Facts facts() {
        List<Consumer<Fact>> all = new ArrayList<>();
        if (dryRun.isEmpty()) {
            all.addAll(subscribers);
            all.add(new ServiceReports(events, instantText));
        }
        all.add(new UpdateLog());
        return new Facts(all);
    }

    /** Ticks see a wave as a whole without waiting. */
    private Duration waveWait(GuardSettings guards) {
        return settings.pace() instanceof Pace.Eager ? guards.brake().window() : Duration.ZERO;
    }
}
