package dev.poolkeeper.app.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Monitors the daemon's own loops: each sends regular heartbeats. A loop without a heartbeat for longer than its limit
 * is stuck, and only a restart helps. The reachability of Azure and the API server is not checked here, because a
 * restart would not help.
 *
 * <p>Thread-safe; never blocks.
 */
public final class Watchdog {

    /** The heartbeat of one loop. Thread-safe. */
    public static final class Heartbeat {

        private final LongSupplier nanoTime;
        private final Duration limit;
        private volatile @Nullable Long last;

        private Heartbeat(LongSupplier nanoTime, Duration limit) {
            this.nanoTime = nanoTime;
            this.limit = limit;
            this.last = nanoTime.getAsLong();
        }

        /** Records that the loop is alive. */
        public void beat() {
            last = nanoTime.getAsLong();
        }

        /** The loop has ended normally; it is not monitored until its next heartbeat. */
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

    /** @param nanoTime a monotonic clock in nanoseconds, such as {@link System#nanoTime} */
    public Watchdog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Starts monitoring a loop.
     *
     * @param name what the loop does, in lower case with dashes
     * @param limit the longest time between two heartbeats; well above the longest possible iteration
     */
    public Heartbeat watch(String name, Duration limit) {
        Heartbeat heartbeat = new Heartbeat(nanoTime, limit);
        heartbeats.put(name, heartbeat);
        return heartbeat;
    }

    /** The checks of all monitored loops, by name. */
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
                        "no heartbeat for %s s (limit %s s)"
                                .formatted(silence.toSeconds(), heartbeat.limit.toSeconds()));
    }
}
