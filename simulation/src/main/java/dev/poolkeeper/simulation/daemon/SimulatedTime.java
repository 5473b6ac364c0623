package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.Time;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.MachineClock;
import dev.poolkeeper.simulation.time.SimulatedProcess;
import dev.poolkeeper.simulation.time.Timeline;
import java.time.Duration;
import java.time.Instant;

/** A machine's clocks and a process's timers, as the adapters ask for them. */
final class SimulatedTime implements Time {

    private final SimulatedProcess process;
    private final MachineClock clock;
    private final Chance chance;

    SimulatedTime(SimulatedProcess process, MachineClock clock, Chance chance) {
        this.process = process;
        this.clock = clock;
        this.chance = chance;
    }

    @Override
    public Instant instant() {
        return clock.instant();
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public double draw() {
        return chance.draw();
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        Timeline.Event event = process.startAfter(clock.trueNanos(Math.max(0, delay.toNanos())), task);
        return event::cancel;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (!process.sleep(clock.trueNanos(Math.max(0, duration.toNanos())))) {
            Thread.interrupted(); // as an interrupted wait leaves it
            throw new InterruptedException();
        }
    }
}
