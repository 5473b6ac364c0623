package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.app.config.FileSource;
import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.readiness.ReadinessGate;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The daemon's loops: the engine's steps, polling of the configuration files, and with the readiness gate a check of
 * the waiting Pods. Each is monitored by the watchdog.
 */
public final class Loops {

    /** The interval at which files are checked. */
    static final Duration FILES = Duration.ofSeconds(5);

    private final Engine engine;
    private final FileSource<LiveSettings> files;
    private final InstantSource clock;
    private final Loop stepper;
    private final Loop reloader;
    private final Optional<Loop> gatekeeper;

    /**
     * The dependencies of the loops.
     *
     * @param time used for waiting
     */
    public record Machinery(Watchdog watchdog, Threads threads, Time time) {

        /** @param longestTurn the longest normal time between the starts of two iterations */
        private Loop loop(String name, Duration longestTurn, Supplier<Duration> turn) {
            return new Loop(name, threads, time, watchdog.watch(name, longestTurn.plusMinutes(1)), turn);
        }
    }

    /** @param interval the engine's */
    public Loops(
            Duration interval,
            Engine engine,
            FileSource<LiveSettings> files,
            Optional<ReadinessGate> gate,
            Machinery machinery) {
        this.engine = engine;
        this.files = files;
        this.clock = machinery.time().steady();
        this.stepper = machinery.loop("engine", interval.multipliedBy(3), this::step);
        this.reloader = machinery.loop("files", FILES, this::reload);
        this.gatekeeper = gate.map(it -> machinery.loop("readiness", ReadinessGate.MAX_TURN, it::look));
        gate.ifPresent(it -> gatekeeper.ifPresent(loop -> it.onLookDue(loop::wake)));
        engine.onWake(stepper::wake);
    }

    void start() {
        stepper.start();
        reloader.start();
        gatekeeper.ifPresent(Loop::start);
    }

    private Duration step() {
        Instant next = engine.step();
        return Duration.between(clock.instant(), next);
    }

    private Duration reload() {
        files.poll();
        return FILES;
    }

    /** No further iteration starts; those in progress continue. */
    void close() {
        stepper.close();
        reloader.close();
        gatekeeper.ifPresent(Loop::close);
    }

    /** Interrupts a listing or a Pod request in progress; call it after {@link #close}. */
    void interrupt() {
        engine.shutdownNow();
        gatekeeper.ifPresent(Loop::interrupt);
    }
}
