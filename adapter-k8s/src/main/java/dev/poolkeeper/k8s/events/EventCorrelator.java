package dev.poolkeeper.k8s.events;

import dev.poolkeeper.ports.ServiceEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Reduces the number of Events by the rules and limits of client-go's {@code events_cache.go}: a repeated event about
 * the same pool increments the count of the first one; from the tenth event within 600 s that differs only in its
 * message, events are combined into one; and each Service may emit 25 events in a burst, then one every 300 s. Held
 * updates have a limit of their own, because another Service that shares the pool can cause them. Remembers 4,096
 * entries of each kind. Not thread-safe.
 */
final class EventCorrelator {

    private static final int SIMILAR = 10;
    private static final long SIMILAR_WITHIN = Duration.ofSeconds(600).toNanos();
    private static final double BURST = 25;
    private static final double PER_NANO = 1 / (double) Duration.ofSeconds(300).toNanos();

    /** The Event to write: a new one, or an increment of the count of the one with that name. */
    static final class Sighting {
        final String note;
        int count;

        @Nullable
        String eventName;

        private Sighting(String note) {
            this.note = note;
        }
    }

    private static final class Similar {
        final SequencedSet<String> notes = new LinkedHashSet<>();
        long lastNanos;
    }

    private static final class Tokens {
        double left = BURST;
        long atNanos;
    }

    private final Map<String, Similar> similar = new Remembered<>();
    private final Map<String, Sighting> sightings = new Remembered<>();
    private final Map<String, Tokens> tokens = new Remembered<>();

    /**
     * Counts this event and returns the Event to write; empty if the Service has exceeded its rate limit.
     *
     * @param uid the Service's uid, empty if unknown; a Service that was recreated counts as another one
     */
    Optional<Sighting> correlate(ServiceEvent event, String uid, long nowNanos) {
        String service = event.service() + "|" + uid;
        String kind = service + "|" + event.reason().type() + "|" + event.reason();
        String note = EventTexts.inCommon(event.note());
        String key = kind + "|" + event.pool().toString().toLowerCase(Locale.ROOT) + "|" + note;
        Similar others = similar.get(kind);
        if (others == null || nowNanos - others.lastNanos > SIMILAR_WITHIN) {
            others = new Similar();
            similar.put(kind, others);
        }
        others.notes.add(note);
        others.lastNanos = nowNanos;
        if (others.notes.size() >= SIMILAR) {
            others.notes.removeFirst();
            note = "(combined from similar events): " + note;
            key = kind;
        }
        String shortNote = EventTexts.note(note);
        Sighting sighting = sightings.computeIfAbsent(key, k -> new Sighting(shortNote));
        sighting.count++;
        String source = event.reason() == ServiceEvent.Reason.HELD ? kind : service;
        return hasToken(source, nowNanos) ? Optional.of(sighting) : Optional.empty();
    }

    private boolean hasToken(String source, long nowNanos) {
        Tokens bucket = tokens.get(source);
        if (bucket == null) {
            bucket = new Tokens();
            bucket.atNanos = nowNanos;
            tokens.put(source, bucket);
        }
        bucket.left = Math.min(BURST, bucket.left + (nowNanos - bucket.atNanos) * PER_NANO);
        bucket.atNanos = nowNanos;
        if (bucket.left < 1) {
            return false;
        }
        bucket.left--;
        return true;
    }

    /** How many limits are remembered; for tests of the bound. */
    int remembered() {
        return new ArrayList<>(tokens.keySet()).size();
    }
}
