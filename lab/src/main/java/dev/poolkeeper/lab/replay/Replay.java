package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.tick.BackendPoolUpdater;
import dev.poolkeeper.fake.ManualClock;
import dev.poolkeeper.fake.recording.RecordedEvent;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.ClusterListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongConsumer;

/**
 * Plays recordings on virtual time: tells each watch event at its offset, ticks at every multiple of the interval, an
 * event before a tick of the same millisecond. After the last event ticks go on while something is queued, for a day at
 * most. Ticks in which nothing can happen are not computed. Source: the replay rules in {@code docs/replay.md}.
 */
public final class Replay {

    /** How long ticks go on after the last event. */
    static final Duration LONGEST_TAIL = Duration.ofDays(1);

    private final ManualClock clock;
    private final OperationQueue queue;
    private final ClusterListener cluster;
    private final BackendPoolUpdater updater;
    private final Pace pace;
    private final TickTimes ticks;
    private long earliestTick;

    public Replay(
            ReplayOptions options,
            ManualClock clock,
            OperationQueue queue,
            ClusterListener cluster,
            BackendPoolUpdater updater) {
        this.clock = clock;
        this.queue = queue;
        this.cluster = cluster;
        this.updater = updater;
        this.pace = options.pace();
        this.ticks = new TickTimes(options.interval().toMillis());
        this.earliestTick = ticks.notBefore(0);
    }

    /**
     * Plays to the end.
     *
     * @param progress hears the number of events played after each one
     * @throws BadInputException if a recording is no longer what it was when it was checked
     */
    public void play(RecordingPlayer player, LongConsumer progress) throws BadInputException, InterruptedException {
        long last = 0;
        long played = 0;
        for (RecordedEvent event = player.next(); event != null; event = player.next()) {
            last = event.offsetMillis();
            if (earliestTick < last) {
                tickUntil(last - 1);
            }
            moveTo(last);
            event.change().tell(cluster);
            progress.accept(++played);
        }
        long tail = LONGEST_TAIL.toMillis();
        tickUntil(last > TickTimes.NEVER - tail ? TickTimes.NEVER - 1 : last + tail);
    }

    /** Plays and closes. */
    public void playAndClose(RecordingPlayer player, LongConsumer progress)
            throws BadInputException, InterruptedException {
        try (player) {
            play(player, progress);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ticks up to and including the given time, for as long as something is queued. */
    private void tickUntil(long millis) throws InterruptedException {
        long tick = nextTick();
        while (tick <= millis && tick != TickTimes.NEVER) {
            moveTo(tick);
            updater.process();
            earliestTick = ticks.after(tick);
            tick = nextTick();
        }
    }

    /** The next tick at which something can happen. */
    private long nextTick() {
        long earliest = Math.max(earliestTick, ticks.notBefore(VirtualTime.millis(clock.instant())));
        return queue.nextEligibleAt()
                .map(eligible -> Math.max(earliest, ticks.notBefore(millisAtOrAfter(eligible))))
                .orElse(TickTimes.NEVER);
    }

    private static long millisAtOrAfter(Instant instant) {
        return instant.isBefore(VirtualTime.START) ? 0 : VirtualTime.millis(instant.plusNanos(999_999));
    }

    private void moveTo(long millis) throws InterruptedException {
        pace.await(millis);
        clock.set(VirtualTime.instant(millis));
    }
}
