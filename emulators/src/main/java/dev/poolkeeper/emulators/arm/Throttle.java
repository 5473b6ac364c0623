package dev.poolkeeper.emulators.arm;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts requests of one principal against a {@link Throttling}. The limit for all principals of a subscription
 * together is fifteen times as high. A refused request is not counted. Thread-safe.
 */
final class Throttle {

    private static final int PRINCIPALS = 15;

    private final Tokens reads;
    private final Tokens writes;
    private final Tokens deletes;
    private final Tokens allReads;
    private final Tokens allWrites;
    private final Tokens allDeletes;
    private final Counter networkReads;
    private final Counter networkWrites;

    Throttle(Throttling limits) {
        this.reads = new Tokens(limits.reads());
        this.writes = new Tokens(limits.writes());
        this.deletes = new Tokens(limits.deletes());
        this.allReads = new Tokens(ofAll(limits.reads()));
        this.allWrites = new Tokens(ofAll(limits.writes()));
        this.allDeletes = new Tokens(ofAll(limits.deletes()));
        this.networkReads = new Counter(limits.networkReads());
        this.networkWrites = new Counter(limits.networkWrites());
    }

    private static Throttling.Bucket ofAll(Throttling.Bucket one) {
        return new Throttling.Bucket(PRINCIPALS * one.capacity(), PRINCIPALS * one.perSecond());
    }

    /**
     * A throttled request.
     *
     * @param byNetworkProvider whether the network provider throttles rather than the subscription's quota
     * @param retryAfter the time until another request is allowed
     */
    record Refusal(boolean byNetworkProvider, Duration retryAfter) {}

    synchronized Optional<Refusal> take(String method, Instant now) {
        Tokens tokens = tokens(method);
        Counter counter = method.equals("GET") ? networkReads : networkWrites;
        Tokens all = allTokens(method);
        Duration wait = longer(tokens.waitFor(now), all.waitFor(now));
        if (!wait.isZero()) {
            return Optional.of(new Refusal(false, wait));
        }
        wait = counter.waitFor(now);
        if (!wait.isZero()) {
            return Optional.of(new Refusal(true, wait));
        }
        tokens.left--;
        all.left--;
        counter.count++;
        return Optional.empty();
    }

    /** The number of requests of that kind that are still allowed right now. */
    synchronized int remaining(String method) {
        return (int) tokens(method).left;
    }

    /** The same for all principals of the subscription. */
    synchronized int remainingOfAll(String method) {
        return (int) allTokens(method).left;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
    }

    private Tokens allTokens(String method) {
        return switch (method) {
            case "PUT", "PATCH" -> allWrites;
            case "DELETE" -> allDeletes;
            default -> allReads;
        };
    }

    private Tokens tokens(String method) {
        return switch (method) {
            case "PUT", "PATCH" -> writes;
            case "DELETE" -> deletes;
            default -> reads;
        };
    }

    private static final class Tokens {
        private final Throttling.Bucket size;
        private double left;
        private @Nullable Instant filledAt;

        Tokens(Throttling.Bucket size) {
            this.size = size;
            this.left = size.capacity();
        }

        Duration waitFor(Instant now) {
            if (filledAt != null && now.isAfter(filledAt)) {
                double seconds = Duration.between(filledAt, now).toMillis() / 1000.0;
                left = Math.min(size.capacity(), left + seconds * size.perSecond());
            }
            filledAt = now;
            return left >= 1 ? Duration.ZERO : Duration.ofSeconds((long) Math.ceil((1 - left) / size.perSecond()));
        }
    }

    private static final class Counter {
        private final Throttling.Window size;
        private @Nullable Instant opened;
        private int count;

        Counter(Throttling.Window size) {
            this.size = size;
        }

        Duration waitFor(Instant now) {
            if (opened == null || !now.isBefore(opened.plus(size.length()))) {
                opened = now;
                count = 0;
            }
            if (count < size.requests()) {
                return Duration.ZERO;
            }
            Duration wait = Duration.between(now, opened.plus(size.length()));
            return Duration.ofSeconds(wait.plusNanos(999_999_999).toSeconds());
        }
    }
}
