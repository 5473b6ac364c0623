package dev.poolkeeper.benchmarks;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;

/** The machine's time, sped up by a factor. */
final class FasterTime implements Time {

    private final Time machine;
    private final int factor;
    private final Instant start;
    private final long startNanos;

    FasterTime(Time machine, int factor) {
        this.machine = machine;
        this.factor = factor;
        this.start = machine.instant();
        this.startNanos = machine.nanoTime();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanoTime());
    }

    @Override
    public long nanoTime() {
        return (machine.nanoTime() - startNanos) * factor;
    }

    @Override
    public double draw() {
        return machine.draw();
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return machine.schedule(delay.dividedBy(factor), task);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        machine.sleep(duration.dividedBy(factor));
    }
}
