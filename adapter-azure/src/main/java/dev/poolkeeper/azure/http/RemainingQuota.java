package dev.poolkeeper.azure.http;

import static java.util.Objects.requireNonNull;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import dev.poolkeeper.ports.ArmName;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The remaining quota that ARM last reported, and the level derived from it. A figure is the state of a token bucket
 * that refills (according to the documentation, at ten writes per second, and faster for reads) and that others also
 * draw from, so it is valid only for a while. For each {@link #STEP} of age, in which 60 writes are refilled, it counts
 * as one level higher. Without figures the level is {@link WriteQuota.Level#AMPLE}.
 *
 * <p>Reads count like writes, because an update needs both. Thread-safe; never blocks. Source: Microsoft,
 * <em>Understand how Azure Resource Manager throttles requests</em>.
 */
public final class RemainingQuota implements WriteQuota {

    /** The age after which a figure counts as one level higher. */
    static final Duration STEP = Duration.ofSeconds(6);

    /** Below this number we slow down. */
    static final long SCARCE = 50;

    /** The reserve for outages and for other writers, above all the cloud provider. */
    static final long LAST = 10;

    private static final String PREFIX = "x-ms-ratelimit-remaining-subscription-";

    /** Headers for the principal and for the whole subscription. */
    private static final List<String> WRITES = List.of("writes", "global-writes");

    private static final List<String> READS = List.of("reads", "global-reads");

    private final InstantSource clock;
    private final Map<String, Figure> figures = new ConcurrentHashMap<>();

    private final Function<@Nullable ArmName, Optional<Instant>> shutUntil;

    private record Figure(long remaining, Instant at) {}

    /** @param clock measures the age of figures */
    public RemainingQuota(InstantSource clock) {
        this(clock, loadBalancer -> Optional.empty());
    }

    /** @param shutUntil until when no update of a load balancer could be sent */
    RemainingQuota(InstantSource clock, Function<@Nullable ArmName, Optional<Instant>> shutUntil) {
        this.clock = requireNonNull(clock, "clock");
        this.shutUntil = shutUntil;
    }

    /** Records the headers of a response; headers that are not numbers are ignored. */
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
        long steps = Math.max(0, Duration.between(figure.at(), now).toMillis() / STEP.toMillis());
        return Level.values()[(int) Math.max(0, said.ordinal() - steps)];
    }

    @Override
    public Optional<Instant> shutUntil(@Nullable ArmName loadBalancer) {
        return shutUntil.apply(loadBalancer);
    }

    /** The figures ARM last reported, and the current level. */
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
