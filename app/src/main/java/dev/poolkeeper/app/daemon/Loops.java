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
 * The daemon's loops: one ticks, one lists the load balancers, one follows the files, and where the readiness gate is
 * switched on, one looks at the Pods that wait. Each is watched.
 */
public final class Loops {

    /** How often files are looked at. */
    static final Duration FILES = Duration.ofSeconds(5);

    /** The shortest sleep of the loop that lists; so often it asks whether the cluster has synced. */
    private static final Duration SHORTEST_SLEEP = Duration.ofMillis(50);

    /** The longest sleep of the loop that lists, so that its watchdog sees it. */
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
     * How long things take.
     *
     * @param interval between ticks
     * @param longestListing the longest time that one listing may take
     */
    public record Times(Duration interval, Duration longestListing) {}

    /**
     * What loops run on.
     *
     * @param clock a clock that does not jump, by which they wait, too
     */
    public record Machinery(Watchdog watchdog, Threads threads, Time clock) {

        /** @param longestTurn the longest time between the beginnings of two turns when all is well */
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

    /** An interval apart at most; as soon as there is something to start, or after the first listing of a term. */
    private Duration tick() {
        Instant next = nextTick();
        if (next.isAfter(clock.instant())) {
            return Duration.between(clock.instant(), next);
        }
        lastTick = clock.instant();
        CompletableFuture<Void> unused = observedTicks.observe(engine::tick).whenComplete((done, thrown) -> {
            if (thrown != null && !closed) { // then workers take nothing new
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
            lastTick = Instant.EPOCH; // the term begins with a tick
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

    /** As if the thread had thrown it. */
    private static void crash(Throwable thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }

    /** No turn begins any more; those that run go on. */
    void close() {
        closed = true;
        ticker.close();
        lister.close();
        reloader.close();
        gatekeeper.ifPresent(Loop::close);
    }

    /** Interrupts a listing and a request about a Pod in progress; to be called after {@link #close}. */
    void interrupt() {
        lister.interrupt();
        gatekeeper.ifPresent(Loop::interrupt);
    }
}
