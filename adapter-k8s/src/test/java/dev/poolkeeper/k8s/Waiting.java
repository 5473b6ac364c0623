package dev.poolkeeper.k8s;

import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what threads of a client or a server bring about. Fake time does not advance meanwhile. */
public final class Waiting {

    private static final Duration LONGEST = Duration.ofSeconds(20);

    private Waiting() {}

    /** Runs what is due until the condition holds. */
    public static void until(FakeTime time, String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        time.runDue();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LONGEST.toNanos()) {
                throw new AssertionError("did not happen: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            time.runDue();
        }
    }
}
