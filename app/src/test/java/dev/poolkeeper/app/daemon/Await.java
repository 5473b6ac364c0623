package dev.poolkeeper.app.daemon;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;

/** Waits for another thread or process. */
public final class Await {

    /** Far longer than anything here takes, because build machines can be slow. */
    static final Duration LONG = Duration.ofSeconds(60);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    /** A condition whose evaluation may fail. */
    public interface Condition {
        boolean holds() throws Exception;
    }

    private Await() {}

    public static void until(String what, Condition condition) {
        until(what, () -> "", condition);
    }

    /** @param seen shown if it never holds */
    public static void until(String what, Supplier<String> seen, Condition condition) {
        long began = System.nanoTime();
        Exception last = null;
        while (System.nanoTime() - began < LONG.toNanos()) {
            try {
                last = null;
                if (condition.holds()) {
                    return;
                }
            } catch (Exception e) {
                last = e;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
        Assertions.fail("not within %s: %s\n%s".formatted(LONG, what, seen.get()), last);
    }
}
