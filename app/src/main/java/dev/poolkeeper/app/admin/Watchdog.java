package dev.poolkeeper.app.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches over the daemon's own loops: each says regularly that it still turns. A loop that has not for longer than its
 * limit is stuck, and only a restart helps. Whether Azure or the API server answers is never asked here: a restart
 * would not help them.
 *
 * <p>Thread-safe; never blocks.
 */
public final class Watchdog {

    /** One loop's sign of life. Thread-safe. */
    public static final class Heartbeat {

        private final LongSupplier nanoTime;
        private final Duration limit;
        private volatile @Nullable Long last;

        private Heartbeat(LongSupplier nanoTime, Duration limit) {
            this.nanoTime = nanoTime;
            this.limit = limit;
            this.last = nanoTime.getAsLong();
        }

        /** The loop still turns. */
        public void beat() {
            last = nanoTime.getAsLong();
        }

        /** The loop has ended as it should; it is not watched until it beats again. */
        public void rest() {
            last = null;
        }

        private @Nullable Duration silence() {
            Long at = last;
            return at == null ? null : Duration.ofNanos(nanoTime.getAsLong() - at);
        }
    }

    private final LongSupplier nanoTime;
    private final Map<String, Heartbeat> heartbeats = new ConcurrentSkipListMap<>();

    /** @param nanoTime a clock in nanoseconds that does not jump, as {@link System#nanoTime} */
    public Watchdog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Watches a loop from now on.
     *
     * @param name what it does, in lower case with dashes
     * @param limit the longest time between two beats; well above the longest that one turn may take
     */
    public Heartbeat watch(String name, Duration limit) {
        Heartbeat heartbeat = new Heartbeat(nanoTime, limit);
        heartbeats.put(name, heartbeat);
        return heartbeat;
    }

    /** Everything watched, by name. */
    public List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        heartbeats.forEach((name, heartbeat) -> checks.add(check(name, heartbeat)));
        return List.copyOf(checks);
    }

    private static Check check(String name, Heartbeat heartbeat) {
        Duration silence = heartbeat.silence();
        return silence == null || silence.compareTo(heartbeat.limit) <= 0
                ? new Check(name, null)
                : new Check(
                        name,
                        "no sign of life for %d s, more than %d s is stuck"
                                .formatted(silence.toSeconds(), heartbeat.limit.toSeconds()));
    }
}
