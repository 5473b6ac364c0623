package dev.poolkeeper.k8s;

import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for threads of a client or a server. Fake time does not advance in the meantime. */
public final class Waiting {

    private static final Duration LONGEST = Duration.ofSeconds(20);

    private Waiting() {}

    /** Runs due tasks until the condition holds. */
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
