package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.retry.MaxRetries;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings of an engine.
 *
 * @param model the update model
 * @param pace when updates start; {@link UpdateModel#DIFF} supports only {@link Pace.Tick}
 * @param maxRetries additional attempts after the first one failed, 0 or more; see {@link MaxRetries}
 * @param callDeadline a call that takes longer is interrupted at a tick and its group retried; a last resort after the
 *     adapter's own deadlines
 * @param directoryRefresh how often load balancers are listed to find pools that appeared, disappeared or moved; zero
 *     for only at the start of a term as leader
 * @param listingWaits backoff between listings while the pool of a local Service is missing or listings fail
 * @param resync how often every pool is compared with what is wanted, with 10 % jitter; zero for only at the start of a
 *     term as leader
 * @param guards the guards that may hold updates; empty for the design document's behaviour, which holds none
 */
public record EngineSettings(
        UpdateModel model,
        Pace pace,
        int maxRetries,
        Duration callDeadline,
        Duration directoryRefresh,
        Backoff listingWaits,
        Duration resync,
        Optional<GuardSettings> guards) {

    /** The daemon's defaults. */
    public static final EngineSettings DEFAULT = new EngineSettings(
            UpdateModel.DESIRED_STATE,
            Pace.Eager.DEFAULT,
            MaxRetries.DEFAULT,
            Duration.ofMinutes(15),
            Duration.ofMinutes(5),
            new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(60)),
            Duration.ofMinutes(10),
            Optional.of(GuardSettings.DEFAULT));

    /** The design document's behaviour: ticks, no guards, and pools compared only at the start of a term. */
    public static final EngineSettings REFERENCE =
            DEFAULT.withPace(Pace.TICK).withResync(Duration.ZERO).withoutGuards();

    /** @throws IllegalArgumentException if a value is out of its bounds */
    public EngineSettings {
        Objects.requireNonNull(model, "model");
        if (model == UpdateModel.DIFF && pace instanceof Pace.Eager) {
            throw new IllegalArgumentException("the model diff supports only the pace tick");
        }
        if (maxRetries < 0) {
            throw new IllegalArgumentException("maxRetries must be 0 or more, got " + maxRetries);
        }
        if (!callDeadline.isPositive()) {
            throw new IllegalArgumentException("callDeadline must be greater than 0, got " + callDeadline);
        }
        if (directoryRefresh.isNegative() || resync.isNegative()) {
            throw new IllegalArgumentException("directoryRefresh and resync must not be negative, got %s and %s"
                    .formatted(directoryRefresh, resync));
        }
    }

    /** These settings with another model, and with ticks if that model supports no other. */
    public EngineSettings withModel(UpdateModel other) {
        return new EngineSettings(
                other,
                other == UpdateModel.DIFF ? new Pace.Tick(pace.interval()) : pace,
                maxRetries,
                callDeadline,
                directoryRefresh,
                listingWaits,
                resync,
                guards);
    }

    public EngineSettings withPace(Pace other) {
        return new EngineSettings(
                model, other, maxRetries, callDeadline, directoryRefresh, listingWaits, resync, guards);
    }

    public EngineSettings withMaxRetries(int other) {
        return new EngineSettings(model, pace, other, callDeadline, directoryRefresh, listingWaits, resync, guards);
    }

    public EngineSettings withCallDeadline(Duration other) {
        return new EngineSettings(model, pace, maxRetries, other, directoryRefresh, listingWaits, resync, guards);
    }

    public EngineSettings withDirectoryRefresh(Duration other) {
        return new EngineSettings(model, pace, maxRetries, callDeadline, other, listingWaits, resync, guards);
    }

    public EngineSettings withListingWaits(Backoff other) {
        return new EngineSettings(model, pace, maxRetries, callDeadline, directoryRefresh, other, resync, guards);
    }

    public EngineSettings withResync(Duration other) {
        return new EngineSettings(model, pace, maxRetries, callDeadline, directoryRefresh, listingWaits, other, guards);
    }

    public EngineSettings withGuards(GuardSettings other) {
        return new EngineSettings(
                model, pace, maxRetries, callDeadline, directoryRefresh, listingWaits, resync, Optional.of(other));
    }

    public EngineSettings withoutGuards() {
        return new EngineSettings(
                model, pace, maxRetries, callDeadline, directoryRefresh, listingWaits, resync, Optional.empty());
    }
}
