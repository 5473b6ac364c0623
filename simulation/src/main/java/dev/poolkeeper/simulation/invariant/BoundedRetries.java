package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** S8. */
final class BoundedRetries extends Invariant {

    private static final Pattern ATTEMPT = Pattern.compile("attempt (\\d+) of (\\d+)");
    private static final long WINDOW = 60 * Timeline.SECONDS;
    private static final int PERCENT = 20;
    private static final int FLOOR = 6;
    private static final int ATTEMPTS_IN_CALL = 3;

    private static final class Traffic {
        final ArrayDeque<Long> firsts = new ArrayDeque<>();
        final ArrayDeque<Long> retries = new ArrayDeque<>();
    }

    private final Map<SimulatedDaemon, Traffic> traffic = new HashMap<>();

    BoundedRetries(Scene scene) {
        super(
                "S8 bounded retries",
                "An update is attempted at most 1 + maxRetries times, a request inside a call at most 1 + 3 times, and"
                        + " the retries of both layers in a minute are at most a fifth of all requests, or six.",
                scene);
    }

    private static long clock(SimulatedDaemon daemon) {
        return daemon.machine().clock().nanoTime();
    }

    private Traffic of(SimulatedDaemon daemon) {
        return traffic.computeIfAbsent(daemon, key -> new Traffic());
    }

    @Override
    public void deposited(SimulatedDaemon daemon) {
        of(daemon).firsts.add(clock(daemon));
    }

    @Override
    public void withdrew(SimulatedDaemon daemon, boolean admitted) {
        if (!admitted) {
            return;
        }
        Traffic seen = of(daemon);
        long clock = clock(daemon);
        seen.retries.add(clock);
        while (!seen.firsts.isEmpty() && seen.firsts.peek() <= clock - WINDOW) {
            seen.firsts.remove();
        }
        while (!seen.retries.isEmpty() && seen.retries.peek() <= clock - WINDOW) {
            seen.retries.remove();
        }
        int retries = seen.retries.size();
        if (retries > FLOOR && (100 - PERCENT) * retries > PERCENT * seen.firsts.size()) {
            violated(
                    "%s sent %d retries for %d first attempts in the last minute", daemon, retries, seen.firsts.size());
        }
    }

    @Override
    public void sent(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int attempt) {
        if (attempt > ATTEMPTS_IN_CALL) {
            violated("%s sends retry %d of one %s", daemon, attempt, purpose);
        }
    }

    @Override
    public void event(SimulatedDaemon daemon, ServiceEvent event) {
        Matcher attempt = ATTEMPT.matcher(event.message());
        if (event.reason() == ServiceEvent.Reason.RETRYING && attempt.find()) {
            int number = Integer.parseInt(attempt.group(1));
            int most = Integer.parseInt(attempt.group(2));
            if (number >= most) {
                violated("%s continues after attempt %d of %d of %s", daemon, number, most, event.pool());
            }
        }
    }
}
