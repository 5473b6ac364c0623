package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** Samples of the pools' state over the last hour, one every 30 s while this replica leads. Thread-safe. */
public final class RecentHour {

    static final Duration LENGTH = Duration.ofHours(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(30);

    private final Supplier<EngineStatus> engine;
    private final Time time;
    private final Deque<Moment> moments = new ArrayDeque<>();

    /**
     * One sample.
     *
     * @param at when it was taken
     * @param outOfStep how many pools were not in step
     * @param oldestChange how long the oldest change had been waiting to be written; zero if there was none
     */
    public record Moment(Instant at, int outOfStep, Duration oldestChange) {

        static Moment of(EngineStatus engine) {
            return new Moment(
                    engine.at(),
                    Math.toIntExact(engine.pools().stream()
                            .filter(pool -> !pool.isInStep())
                            .count()),
                    engine.freshness()
                            .oldestChange()
                            .map(change -> Duration.between(change, engine.at()))
                            .filter(Duration::isPositive)
                            .orElse(Duration.ZERO));
        }
    }

    /** Starts sampling, for as long as {@code time} runs its tasks. */
    public RecentHour(Supplier<EngineStatus> engine, Time time) {
        this.engine = engine;
        this.time = time;
        time.schedule(BETWEEN_LOOKS, this::look);
    }

    private void look() {
        try {
            EngineStatus now = engine.get();
            if (hasListed(now)) {
                add(Moment.of(now));
            }
        } finally { // whatever it ended with, there is a next one
            time.schedule(BETWEEN_LOOKS, this::look);
        }
    }

    /** Whether it leads and has listed the pools since it does; what it listed before may be minutes old. */
    private static boolean hasListed(EngineStatus engine) {
        Instant since = engine.leadingSince().orElse(Instant.MIN);
        return engine.leading()
                && engine.listing().last().filter(at -> !at.isBefore(since)).isPresent();
    }

    private void add(Moment moment) {
        synchronized (moments) {
            moments.addLast(moment);
            while (moments.getFirst().at().isBefore(moment.at().minus(LENGTH))) {
                moments.removeFirst();
            }
        }
    }

    /** The samples of the last hour, oldest first. */
    public List<Moment> moments() {
        synchronized (moments) {
            return List.copyOf(moments);
        }
    }
}
