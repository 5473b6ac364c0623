package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.ProgramVersion;
import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.app.config.FileSource;
import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.app.telemetry.ObservedTicks;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The daemon's life.
 *
 * <p>It starts with its pages, so that whoever looks can see what it waits for, then watches, stands for election, and
 * turns its loops. It stops in this order: leadership stops counting, so that no call starts; the loops end; calls that
 * are under way go on until the grace period is over, then are interrupted; only then the Leases are given back, and
 * only if nothing is under way any more; connections and pages close last.
 *
 * <p>{@link #start} once; {@link #close} by any thread, and again without effect.
 */
public final class Daemon implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Daemon.class);

    /** How often files are looked at. */
    static final Duration FILES = Duration.ofSeconds(5);

    /** How often is looked whether the cluster has synced, before it has. */
    private static final Duration SOON = Duration.ofMillis(50);

    /** The longest sleep of the loop that lists, so that its watchdog sees it. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

    private final Times times;
    private final Engine engine;
    private final Membership membership;
    private final ObservedTicks observedTicks;
    private final Workers workers;
    private final Permissions permissions;
    private final FileSource<LiveSettings> files;
    private final Pages pages;
    private final Runnable onClosed;
    private final InstantSource clock;
    private final Loop ticker;
    private final Loop lister;
    private final Loop reloader;
    private final AtomicBoolean stopping = new AtomicBoolean();

    /**
     * How long things take.
     *
     * @param interval between ticks
     * @param longestListing the longest time that one listing may take
     * @param grace how long calls may go on after a stop
     */
    public record Times(Duration interval, Duration longestListing, Duration grace) {}

    /** @param onClosed called last */
    public Daemon(
            Times times,
            Pages pages,
            Membership membership,
            Engine engine,
            ObservedTicks observedTicks,
            Workers workers,
            FileSource<LiveSettings> files,
            Permissions permissions,
            Watchdog watchdog,
            Runnable onClosed,
            InstantSource clock) {
        this.times = times;
        this.observedTicks = observedTicks;
        this.permissions = permissions;
        this.pages = pages;
        this.membership = membership;
        this.engine = engine;
        this.workers = workers;
        this.files = files;
        this.onClosed = onClosed;
        this.clock = clock;
        this.ticker = loop(watchdog, "ticks", times.interval().multipliedBy(3), this::tick);
        this.lister = loop(watchdog, "listings", times.longestListing().plus(LONGEST_SLEEP), this::list);
        this.reloader = loop(watchdog, "files", FILES, this::reload);
        engine.onListingAsked(lister::wake);
    }

    /** @param longestTurn the longest time between the beginnings of two turns when all is well */
    private static Loop loop(Watchdog watchdog, String name, Duration longestTurn, Supplier<Duration> turn) {
        return new Loop(name, watchdog.watch(name, longestTurn.plusMinutes(1)), turn);
    }

    /**
     * Starts everything and returns.
     *
     * @throws BadInputException if the pages' address cannot be had; what was made for this daemon has to be closed
     */
    public void start() throws BadInputException, IOException {
        pages.start();
        log.atInfo()
                .addKeyValue("version", ProgramVersion.text())
                .addKeyValue("pages", address())
                .log("Started");
        membership.start();
        Thread.ofVirtual().name("poolkeeper-permissions").start(permissions::probe);
        lister.start();
        ticker.start();
        reloader.start();
    }

    /** Where its pages are, as host and port; only after the start. */
    public String address() {
        InetSocketAddress address = pages.address();
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** At every multiple of the interval, or at once after the first listing of a term. */
    private Duration tick() {
        Instant begun = clock.instant();
        CompletableFuture<Void> unused = observedTicks.observe(engine::tick).whenComplete((done, thrown) -> {
            if (thrown != null && !stopping.get()) { // then workers take nothing new
                crash(thrown);
            }
        });
        Duration left = times.interval().minus(Duration.between(begun, clock.instant()));
        return left.isPositive() ? left : Duration.ZERO;
    }

    private Duration list() {
        if (!membership.hasSynced()) {
            return SOON;
        }
        boolean served = engine.isServing();
        engine.listIfDue();
        if (engine.isServing() && !served) {
            ticker.wake();
        }
        Duration wait = Duration.between(clock.instant(), engine.nextListing());
        return wait.compareTo(LONGEST_SLEEP) > 0 ? LONGEST_SLEEP : wait.compareTo(SOON) < 0 ? SOON : wait;
    }

    private Duration reload() {
        files.poll();
        return FILES;
    }

    /** As if the thread had thrown it. */
    private static void crash(Throwable thrown) {
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        if (handler != null) {
            handler.uncaughtException(thread, thrown);
        } else {
            log.atError().setCause(thrown).log("A tick ended in an error of the program");
        }
    }

    /** Stops everything, in order, and returns when that is done. */
    @Override
    public void close() {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        log.atInfo().log("Stopping");
        membership.stopLeading();
        ticker.close();
        lister.close();
        reloader.close();
        boolean clean = workers.drain(times.grace());
        lister.interrupt();
        membership.leave(clean);
        pages.close();
        onClosed.run();
        log.atInfo().addKeyValue("clean", clean).log("Stopped");
    }
}
