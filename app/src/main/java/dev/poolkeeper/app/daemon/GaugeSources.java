package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.telemetry.Gauges;
import dev.poolkeeper.app.telemetry.ObservedTicks;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.k8s.events.KubernetesServiceEvents;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Where the metrics that are asked for at a scrape come from. Thread-safe; makes no call. */
public final class GaugeSources {

    /** One scrape asks many gauges; the keeper is asked once for all of them. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final StatusSource.Parts parts;
    private final StatusSource.Facts facts;
    private final ObservedTicks ticks;
    private final Optional<KubernetesServiceEvents> events;
    private final InstantSource clock;
    private @Nullable EngineStatus latest;
    private Instant latestAt = Instant.MIN;

    public GaugeSources(
            StatusSource.Parts parts,
            StatusSource.Facts facts,
            ObservedTicks ticks,
            Optional<KubernetesServiceEvents> events,
            InstantSource clock) {
        this.parts = parts;
        this.facts = facts;
        this.ticks = ticks;
        this.events = events;
        this.clock = clock;
    }

    private synchronized EngineStatus engine() {
        Instant now = clock.instant();
        EngineStatus known = latest;
        if (known == null || Duration.between(latestAt, now).abs().compareTo(FRESH) > 0) {
            known = parts.engine().status();
            latest = known;
            latestAt = now;
        }
        return known;
    }

    /** All of them. */
    public Gauges gauges() {
        return new Gauges(
                queue(),
                azure(),
                keeperGauges(),
                replica(),
                eventCounts(),
                () -> parts.membership().watcher().statuses());
    }

    private Gauges.Queue queue() {
        return new Gauges.Queue(
                () -> engine().work().operations(),
                () -> engine().work().parkedPools(),
                () -> left(engine().work().lastEligibleAt().orElse(null)));
    }

    private Duration left(@Nullable Instant until) {
        Duration left = until == null ? Duration.ZERO : Duration.between(clock.instant(), until);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private Gauges.Azure azure() {
        return new Gauges.Azure(
                () -> left(parts.gates().get().readsShutUntil()),
                () -> left(parts.gates().get().writesShutUntil()),
                () -> parts.gates().get().busyUntil().values().stream()
                        .map(this::left)
                        .max(Comparator.naturalOrder())
                        .orElse(Duration.ZERO),
                () -> parts.retries().budget().balance());
    }

    private Gauges.Keeper keeperGauges() {
        return new Gauges.Keeper(
                count(engine -> engine.pools().size()),
                count(engine -> engine.pools().stream()
                        .filter(pool ->
                                !pool.missing().isEmpty() || !pool.surplus().isEmpty())
                        .count()),
                count(engine -> engine.holds().fights().size()),
                count(engine -> engine.holds().forbidden().size()),
                () -> parts.permissions().missing().size(),
                () -> parts.files().trouble().isPresent() ? 1 : 0,
                () -> !engine().holds().braked().isEmpty(),
                () -> engine().holds().paused(),
                facts::dryRun,
                ticks::lastSuccess,
                () -> engine().listing().last(),
                () -> engine().listing().lastResync());
    }

    private LongSupplier count(ToLongFunction<EngineStatus> what) {
        return () -> what.applyAsLong(engine());
    }

    private Gauges.Replica replica() {
        return new Gauges.Replica(
                () -> parts.membership().isLeader(),
                () -> parts.lock().get().held(),
                () -> parts.lock().get().isHeldByAnother());
    }

    private Gauges.Events eventCounts() {
        return new Gauges.Events(
                () -> events.map(KubernetesServiceEvents::written).orElse(0L),
                () -> events.map(KubernetesServiceEvents::dropped).orElse(0L),
                () -> events.map(KubernetesServiceEvents::suppressed).orElse(0L));
    }
}
