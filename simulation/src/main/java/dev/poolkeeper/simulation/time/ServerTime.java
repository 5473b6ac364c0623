package dev.poolkeeper.simulation.time;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;

/** True time for servers without threads: their timers run as events of the timeline. */
public final class ServerTime implements Time {

    private final Timeline timeline;
    private final Chance chance;

    public ServerTime(Timeline timeline, Chance chance) {
        this.timeline = timeline;
        this.chance = chance;
    }

    @Override
    public Instant instant() {
        return MachineClock.START.plusNanos(timeline.now());
    }

    @Override
    public long nanoTime() {
        return timeline.now();
    }

    @Override
    public double draw() {
        return chance.draw();
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return timeline.after(delay.toNanos(), task)::cancel;
    }

    /** @throws IllegalStateException always: there is no thread to block */
    @Override
    public void sleep(Duration duration) {
        throw new IllegalStateException("a simulated server has no thread that could sleep");
    }
}
