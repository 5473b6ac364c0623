package dev.poolkeeper.azure.http;

import static java.util.Objects.requireNonNull;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import dev.poolkeeper.ports.WriteQuota;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What ARM said last of how many requests it would still answer, and what follows from it. A figure is the state of a
 * token bucket that refills, by what is documented ten times a second for writes and faster for reads, and that others
 * take from as well; so it is believed for a while only. Each time that it has aged by {@link #STEP}, in which 60
 * writes come back, it counts for one level more. Without figures everything is {@link WriteQuota.Level#AMPLE}.
 *
 * <p>Reads count like writes: an update needs both. Thread-safe; never blocks. Source: Microsoft, <em>Understand how
 * Azure Resource Manager throttles requests</em>.
 */
public final class RemainingQuota implements WriteQuota {

    /** After so long a figure counts for one level more. */
    static final Duration STEP = Duration.ofSeconds(6);

    /** Below it we slow down. */
    static final long SCARCE = 50;

    /** The part that is kept for outages and for other writers, the cloud provider first. */
    static final long LAST = 10;

    private static final String PREFIX = "x-ms-ratelimit-remaining-subscription-";

    /** Those of the principal and those of the whole subscription. */
    private static final List<String> WRITES = List.of("writes", "global-writes");

    private static final List<String> READS = List.of("reads", "global-reads");

    private final InstantSource clock;
    private final Map<String, Figure> figures = new ConcurrentHashMap<>();

    private record Figure(long remaining, Instant at) {}

    /** @param clock tells how old a figure is */
    public RemainingQuota(InstantSource clock) {
        this.clock = requireNonNull(clock, "clock");
    }

    /** Takes what an answer says; a header that is no number is passed over. */
    public void answered(HttpHeaders headers) {
        for (List<String> kinds : List.of(WRITES, READS)) {
            for (String kind : kinds) {
                remaining(headers.getValue(HttpHeaderName.fromString(PREFIX + kind)))
                        .ifPresent(remaining -> figures.put(kind, new Figure(remaining, clock.instant())));
            }
        }
    }

    private static OptionalLong remaining(@Nullable String header) {
        try {
            return header == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(header.strip()));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public Level level() {
        Instant now = clock.instant();
        return figures.values().stream()
                .map(figure -> level(figure, now))
                .max(Comparator.naturalOrder())
                .orElse(Level.AMPLE);
    }

    private static Level level(Figure figure, Instant now) {
        Level said = figure.remaining() > SCARCE
                ? Level.AMPLE
                : figure.remaining() > LAST ? Level.SCARCE : figure.remaining() > 0 ? Level.LAST : Level.NONE;
        long steps = Math.max(0, Duration.between(figure.at(), now).dividedBy(STEP));
        return Level.values()[(int) Math.max(0, said.ordinal() - steps)];
    }

    /** What ARM said last, and the level that follows from it now. */
    public QuotaStatus status() {
        return new QuotaStatus(level(), least(WRITES), least(READS));
    }

    private Optional<Long> least(List<String> kinds) {
        return kinds.stream()
                .map(figures::get)
                .filter(figure -> figure != null)
                .map(Figure::remaining)
                .min(Comparator.naturalOrder());
    }
}
