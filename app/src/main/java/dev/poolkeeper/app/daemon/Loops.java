package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.app.config.FileSource;
import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.app.telemetry.ObservedTicks;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.readiness.ReadinessGate;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The daemon's loops: ticks, listings of the load balancers, polling of the configuration files, and with the readiness
 * gate a check of the waiting Pods. Each is monitored by the watchdog.
 */
public final class Loops {

    /** The interval at which files are checked. */
    static final Duration FILES = Duration.ofSeconds(5);

    /** The shortest wait of the listing loop, and the interval at which it checks whether the cluster has synced. */
    private static final Duration SHORTEST_SLEEP = Duration.ofMillis(50);

    /** The longest wait of the listing loop, so that the watchdog sees its heartbeat. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

    private final Duration interval;
    private final Engine engine;
    private final Membership membership;
    private final ObservedTicks observedTicks;
    private final FileSource<LiveSettings> files;
    private final Time clock;
    private final Loop ticker;
    private final Loop lister;
    private final Loop reloader;
    private final Optional<Loop> gatekeeper;
    private volatile Instant lastTick = Instant.EPOCH;
    private volatile boolean closed;

    /**
     * The timing of the loops.
     *
     * @param interval between ticks
     * @param longestListing the timeout of one listing
     */
    public record Times(Duration interval, Duration longestListing) {}

    /**
     * The dependencies of the loops.
     *
     * @param clock a monotonic clock, also used for waiting
     */
    public record Machinery(Watchdog watchdog, Threads threads, Time clock) {

        /** @param longestTurn the longest normal time between the starts of two iterations */
        private Loop loop(String name, Duration longestTurn, Supplier<Duration> turn) {
            return new Loop(name, threads, clock, watchdog.watch(name, longestTurn.plusMinutes(1)), turn);
        }
    }

    public Loops(
            Times times,
            Engine engine,
            Membership membership,
            ObservedTicks observedTicks,
            FileSource<LiveSettings> files,
            Optional<ReadinessGate> gate,
            Machinery machinery) {
        this.interval = times.interval();
        this.engine = engine;
        this.membership = membership;
        this.observedTicks = observedTicks;
        this.files = files;
        this.clock = machinery.clock();
        this.ticker = machinery.loop("ticks", interval.multipliedBy(3), this::tick);
        this.lister = machinery.loop("listings", times.longestListing().plus(LONGEST_SLEEP), this::list);
        this.reloader = machinery.loop("files", FILES, this::reload);
        this.gatekeeper = gate.map(it -> machinery.loop("readiness", ReadinessGate.LONGEST_TURN, it::look));
        gate.ifPresent(it -> gatekeeper.ifPresent(loop -> it.onLookDue(loop::wake)));
        engine.onListingAsked(lister::wake);
        engine.onStartDue(ticker::wake);
    }

    void start() {
        lister.start();
        ticker.start();
        reloader.start();
        gatekeeper.ifPresent(Loop::start);
    }

    /** Waits at most an interval; less if an update can start, or after the first listing of a term. */
    private Duration tick() {
        Instant next = nextTick();
        if (next.isAfter(clock.instant())) {
            return Duration.between(clock.instant(), next);
        }
        lastTick = clock.instant();
        CompletableFuture<Void> unused = observedTicks.observe(engine::tick).whenComplete((done, thrown) -> {
            if (thrown != null && !closed) { // then the workers accept no new tasks
                crash(thrown);
            }
        });
        return Duration.between(clock.instant(), nextTick());
    }

    private Instant nextTick() {
        Instant next = lastTick.plus(interval);
        return engine.nextStart().filter(next::isAfter).orElse(next);
    }

    private Duration list() {
        if (!membership.hasSynced()) {
            return SHORTEST_SLEEP;
        }
        boolean served = engine.isServing();
        engine.listIfDue();
        if (engine.isServing() && !served) {
            lastTick = Instant.EPOCH; // the term starts with a tick
            ticker.wake();
        }
        Duration wait = Duration.between(clock.instant(), engine.nextListing());
        return wait.compareTo(LONGEST_SLEEP) > 0
                ? LONGEST_SLEEP
                : wait.compareTo(SHORTEST_SLEEP) < 0 ? SHORTEST_SLEEP : wait;
    }

    private Duration reload() {
        files.poll();
        return FILES;
    }

    /** Reports it as an uncaught exception of this thread. */
    private static void crash(Throwable thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }

    /** No further iteration starts; those in progress continue. */
    void close() {
        closed = true;
        ticker.close();
        lister.close();
        reloader.close();
        gatekeeper.ifPresent(Loop::close);
    }

    /** Interrupts a listing or a Pod request in progress; call it after {@link #close}. */
    void interrupt() {
        lister.interrupt();
        gatekeeper.ifPresent(Loop::interrupt);
    }
}
