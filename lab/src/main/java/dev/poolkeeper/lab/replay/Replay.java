package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.fake.FakeTime;
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
 * Plays recordings on virtual time: reports each watch event at its offset, ticks at every multiple of the interval, an
 * event before a tick of the same millisecond. After the last event ticks go on while something is queued, for a day at
 * most. Ticks in which nothing can happen are not computed. With the daemon's configuration the load balancers are
 * listed and pools compared as the daemon does it; that does not prolong the replay. Source: the replay rules in
 * {@code docs/replay.md}.
 */
public final class Replay {

    /** How long ticks go on after the last event. */
    static final Duration LONGEST_TAIL = Duration.ofDays(1);

    private final FakeTime time;
    private final ClusterListener cluster;
    private final Engine engine;
    private final Speed speed;
    private final TickTimes ticks;
    private final boolean listsAgain;
    private long earliestTick;

    public Replay(ReplayOptions options, FakeTime time, ClusterListener cluster, Engine engine) {
        this.time = time;
        this.cluster = cluster;
        this.engine = engine;
        this.speed = options.speed();
        this.listsAgain = options.daemon().isPresent();
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
            if (listsAgain) {
                listAndTickUntil(last - 1);
            } else if (earliestTick < last) {
                tickUntil(last - 1);
            }
            moveTo(last);
            event.change().report(cluster);
            progress.accept(++played);
        }
        long tail = LONGEST_TAIL.toMillis();
        long end = last > TickTimes.NEVER - tail ? TickTimes.NEVER - 1 : last + tail;
        tickUntil(end);
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
        for (long tick = nextTick(); tick <= millis && tick != TickTimes.NEVER; tick = nextTick()) {
            if (listsAgain && nextListing() <= tick) {
                list();
            } else {
                tick(tick);
            }
        }
    }

    /** Lists and ticks up to and including the given time, whether something is queued or not. */
    private void listAndTickUntil(long millis) throws InterruptedException {
        while (true) {
            long tick = nextTick();
            if (Math.min(tick, nextListing()) > millis) {
                return;
            }
            if (nextListing() <= tick) {
                list();
            } else {
                tick(tick);
            }
        }
    }

    private void list() throws InterruptedException {
        moveTo(nextListing());
        engine.listIfDue();
    }

    private void tick(long millis) throws InterruptedException {
        moveTo(millis);
        engine.tick().join();
        earliestTick = ticks.after(millis);
    }

    private long nextListing() {
        return Math.max(VirtualTime.millis(time.instant()), millisAtOrAfter(engine.nextListing()));
    }

    /** The next tick at which something can happen. */
    private long nextTick() {
        long earliest = Math.max(earliestTick, ticks.notBefore(VirtualTime.millis(time.instant())));
        return engine.nextEligibleAt()
                .map(eligible -> Math.max(earliest, ticks.notBefore(millisAtOrAfter(eligible))))
                .orElse(TickTimes.NEVER);
    }

    private static long millisAtOrAfter(Instant instant) {
        return instant.isBefore(VirtualTime.START) ? 0 : VirtualTime.millis(instant.plusNanos(999_999));
    }

    private void moveTo(long millis) throws InterruptedException {
        speed.await(millis);
        time.advanceTo(VirtualTime.instant(millis));
    }
}
