package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** S8. */
final class BoundedRetries extends Invariant {

    private static final long WINDOW = 60 * Timeline.SECONDS;

    /** A budget may count a retry for a little longer. */
    private static final long LONGEST_WINDOW = 70 * Timeline.SECONDS;

    private static final int PERCENT = 20;
    private static final int FLOOR = 6;
    private static final int ATTEMPTS_IN_CALL = 3;

    /** Requests of listings in {@link #MOMENT}, pages and retries included. */
    private static final int MOST_LISTINGS = 60;

    private static final long MOMENT = 10 * Timeline.SECONDS;

    private static final class Traffic {
        final ArrayDeque<Long> firsts = new ArrayDeque<>();
        final ArrayDeque<Long> retries = new ArrayDeque<>();
        final ArrayDeque<Long> listings = new ArrayDeque<>();
    }

    private final Map<SimulatedDaemon, Traffic> traffic = new HashMap<>();

    BoundedRetries(Scene scene) {
        super(
                "S8 bounded retries",
                "An update is attempted at most 1 + maxRetries times, a request inside a call at most 1 + 3 times, and"
                        + " the retries of both layers in a minute are at most a fifth of all requests, or six; none of"
                        + " these six is refused. Listings take at most 60 requests in ten seconds.",
                scene);
    }

    private static long clock(SimulatedDaemon daemon) {
        return daemon.machine().clock().nanoTime();
    }

    private Traffic of(SimulatedDaemon daemon) {
        return traffic.computeIfAbsent(daemon, key -> new Traffic());
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Deposited(SimulatedDaemon daemon) ->
                of(daemon).firsts.add(clock(daemon));
            case Observation.Withdrew(SimulatedDaemon daemon, boolean admitted) -> withdrew(daemon, admitted);
            case Observation.Sent sent -> sent(sent.daemon(), sent.purpose(), sent.attempt());
            case Observation.Published(SimulatedDaemon daemon, Fact fact) -> published(daemon, fact);
            default -> {}
        }
    }

    private void published(SimulatedDaemon daemon, Fact fact) {
        switch (fact) {
            case Fact.Began began when began.isRetry() -> withdrew(daemon, true);
            case Fact.Began began -> of(daemon).firsts.add(clock(daemon));
            case Fact.RetryRefused refused -> withdrew(daemon, false);
            case Fact.Retrying failed ->
                failed.tried().stream()
                        .filter(tried -> tried.number() >= failed.bound())
                        .forEach(tried -> violated(
                                "%s continues after attempt %d of %d of %s",
                                daemon, tried.number(), failed.bound(), failed.pool()));
            default -> {}
        }
    }

    private void withdrew(SimulatedDaemon daemon, boolean admitted) {
        Traffic seen = of(daemon);
        long clock = clock(daemon);
        forget(seen.firsts, clock - LONGEST_WINDOW);
        forget(seen.retries, clock - LONGEST_WINDOW);
        if (!admitted) {
            if (seen.retries.size() < FLOOR) {
                violated("%s refused a retry after %d retries in the last 70 s", daemon, seen.retries.size());
            }
            return;
        }
        seen.retries.add(clock);
        long retries = countSince(seen.retries, clock - WINDOW);
        long firsts = countSince(seen.firsts, clock - WINDOW);
        if (retries > FLOOR && (100 - PERCENT) * retries > PERCENT * firsts) {
            violated("%s sent %d retries for %d first attempts in the last minute", daemon, retries, firsts);
        }
    }

    private void sent(SimulatedDaemon daemon, Purpose purpose, int attempt) {
        if (attempt > ATTEMPTS_IN_CALL) {
            violated("%s sends retry %d of one %s", daemon, attempt, purpose);
        }
        if (purpose == Purpose.LIST) {
            ArrayDeque<Long> listings = of(daemon).listings;
            listings.add(now());
            forget(listings, now() - MOMENT);
            if (listings.size() > MOST_LISTINGS) {
                violated("%s sent %d requests of listings within ten seconds", daemon, listings.size());
            }
        }
    }

    private static void forget(ArrayDeque<Long> times, long until) {
        while (!times.isEmpty() && times.peek() <= until) {
            times.remove();
        }
    }

    private static long countSince(ArrayDeque<Long> times, long after) {
        return times.stream().filter(time -> time > after).count();
    }
}
