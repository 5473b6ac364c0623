package dev.poolkeeper.core;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;

/** A fake time of which a test overrides a part. */
public abstract class ForwardingTime implements Time {

    private final FakeTime time;

    protected ForwardingTime(FakeTime time) {
        this.time = time;
    }

    @Override
    public Instant instant() {
        return time.instant();
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public double draw() {
        return time.draw();
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return time.schedule(delay, task);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        time.sleep(duration);
    }
}
