package dev.poolkeeper.app.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors what the daemon's own code must have ended by a certain time: its loops, which send heartbeats, and calls
 * and decisions with a deadline of their own. What overruns its limit is stuck, for whatever cause, and only a restart
 * helps: first {@link #isSound} turns false, so that this process renews no Lease, leads no more and sends no further
 * request, and another replica takes over; then the {@link #checks} fail. The reachability of Azure and the API server
 * is not monitored, because a restart would not help.
 *
 * <p>A process that was paused is not stuck: an overrun counts when two looks ten seconds apart have seen it.
 * Thread-safe; never blocks, and needs no thread of its own.
 */
public final class Watchdog {

    /** By how much a deadline may be overrun. */
    public static final Duration MARGIN = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(Watchdog.class);

    private static final Duration CONFIRMED_AFTER = Duration.ofSeconds(10);

    /** By how much earlier a silent loop counts as stuck than its check fails. */
    private static final Duration BEFORE_CHECK = CONFIRMED_AFTER.multipliedBy(2);

    private final LongSupplier nanoTime;
    private final Map<String, Heartbeat> heartbeats = new ConcurrentSkipListMap<>();
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

    /** What is stuck, once this is certain; null while nothing is. */
    private volatile @Nullable String stuck;

    /** @param nanoTime a monotonic clock in nanoseconds, such as {@link System#nanoTime} */
    public Watchdog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The heartbeat of something that must end, or go on, within a limit. Thread-safe. */
    public static class Heartbeat {

        private final LongSupplier nanoTime;
        final Duration limit;
        private volatile @Nullable Long since;

        /** When a look first found it overdue; null if the last one did not. */
        private volatile @Nullable Long overdueSince;

        private Heartbeat(LongSupplier nanoTime, Duration limit) {
            this.nanoTime = nanoTime;
            this.limit = limit;
            this.since = nanoTime.getAsLong();
        }

        /** Records that the loop is alive. */
        public void beat() {
            since = nanoTime.getAsLong();
        }

        /** The loop has ended normally; it is not monitored until its next heartbeat. */
        public void rest() {
            since = null;
        }

        @Nullable
        Duration lasting() {
            Long at = since;
            return at == null ? null : Duration.ofNanos(nanoTime.getAsLong() - at);
        }

        boolean isOver(Duration most) {
            Duration lasting = lasting();
            return lasting != null && lasting.compareTo(most) > 0;
        }

        /** Whether this look confirms an earlier one. */
        boolean isStuck(Duration most) {
            if (!isOver(most)) {
                overdueSince = null;
                return false;
            }
            long now = nanoTime.getAsLong();
            Long first = overdueSince;
            if (first == null) {
                overdueSince = now;
                return false;
            }
            return now - first >= CONFIRMED_AFTER.toNanos();
        }

        String inWords() {
            Duration lasting = lasting();
            return "%s s (limit %s s)".formatted(lasting == null ? 0 : lasting.toSeconds(), limit.toSeconds());
        }
    }

    /** Something with a deadline, on the thread that began it. Thread-safe. */
    public final class Watch extends Heartbeat implements AutoCloseable {

        private final String what;
        private final Thread thread = Thread.currentThread();

        private Watch(String what, Duration deadline) {
            super(nanoTime, deadline.plus(MARGIN));
            this.what = what;
        }

        /** It has ended, successfully or not. */
        @Override
        public void close() {
            rest();
            watches.remove(this);
        }
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

    /**
     * Starts monitoring something on this thread.
     *
     * @param what names it in the log
     * @param deadline the time within which our own code ends it
     */
    public Watch begin(String what, Duration deadline) {
        Watch watch = new Watch(what, deadline);
        watches.add(watch);
        return watch;
    }

    /** Whether nothing is stuck; stays false once it is. To be asked at least every few seconds. */
    public boolean isSound() {
        return stuck == null && look();
    }

    private boolean look() {
        for (Map.Entry<String, Heartbeat> entry : heartbeats.entrySet()) {
            Heartbeat heartbeat = entry.getValue();
            if (heartbeat.isStuck(beforeCheck(heartbeat.limit))) {
                bite("loop " + entry.getKey() + ": no heartbeat for " + heartbeat.inWords(), null);
            }
        }
        for (Watch watch : watches) {
            if (watch.isStuck(watch.limit)) {
                bite(watch.what + ": has not ended for " + watch.inWords(), watch.thread);
            }
        }
        return stuck == null;
    }

    private static Duration beforeCheck(Duration limit) {
        Duration sooner = limit.minus(BEFORE_CHECK);
        return sooner.compareTo(BEFORE_CHECK) > 0 ? sooner : limit;
    }

    private synchronized void bite(String what, @Nullable Thread thread) {
        if (stuck != null) {
            return;
        }
        stuck = what;
        Throwable where = new Throwable("where it is stuck");
        where.setStackTrace(thread == null ? new StackTraceElement[0] : thread.getStackTrace());
        log.atError()
                .addKeyValue("stuck", what)
                .setCause(thread == null ? null : where)
                .log("This process is stuck: it renews its Leases and sends requests no longer, another replica takes"
                        + " over; /livez fails until it is restarted");
    }

    /** The checks of all monitored loops, by name, and of everything else together. */
    public List<Check> checks() {
        isSound();
        List<Check> checks = new ArrayList<>();
        heartbeats.forEach((name, heartbeat) -> checks.add(check(name, heartbeat)));
        checks.add(new Check("deadlines", stuck));
        return List.copyOf(checks);
    }

    private static Check check(String name, Heartbeat heartbeat) {
        return heartbeat.isOver(heartbeat.limit)
                ? new Check(name, "no heartbeat for " + heartbeat.inWords())
                : new Check(name, null);
    }
}
