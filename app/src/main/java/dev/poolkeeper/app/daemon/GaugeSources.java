package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.telemetry.Gauges;
import dev.poolkeeper.app.telemetry.ObservedTicks;
import dev.poolkeeper.core.keeper.KeeperStatus;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.k8s.events.KubernetesServiceEvents;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Objects;
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
    private @Nullable KeeperStatus latest;
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

    private synchronized KeeperStatus keeper() {
        Instant now = clock.instant();
        KeeperStatus known = latest;
        if (known == null || Duration.between(latestAt, now).abs().compareTo(FRESH) > 0) {
            known = parts.keeper().status();
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
                () -> parts.keeper().queue().size(),
                () -> StatusSource.parkedPools(parts.keeper().queue(), clock.instant()),
                () -> parts.keeper().queue().parked(null, clock.instant()).stream()
                        .map(PendingOperation::nextEligibleAt)
                        .filter(Objects::nonNull)
                        .max(Comparator.<Instant>naturalOrder())
                        .map(this::left)
                        .orElse(Duration.ZERO));
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
                count(keeper -> keeper.pools().size()),
                count(keeper -> keeper.pools().stream()
                        .filter(pool ->
                                !pool.missing().isEmpty() || !pool.surplus().isEmpty())
                        .count()),
                count(keeper -> keeper.fights().size()),
                count(keeper -> keeper.forbidden().size()),
                () -> parts.permissions().missing().size(),
                () -> parts.files().trouble().isPresent() ? 1 : 0,
                () -> keeper().braked().isPresent(),
                () -> keeper().paused(),
                facts::dryRun,
                ticks::lastSuccess,
                () -> keeper().lastListing(),
                () -> keeper().lastResync());
    }

    private LongSupplier count(ToLongFunction<KeeperStatus> what) {
        return () -> what.applyAsLong(keeper());
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
