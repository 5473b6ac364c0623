package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.recording.RecordedEvent;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.ClusterListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plays recordings on virtual time: reports each watch event at its offset, ticks at every multiple of the interval. At
 * the same instant, watch events come first, then the ends of waits for missing nodes, the ends of calls, listings,
 * ticks, and starts of updates. After the last event it continues while operations are queued or nodes are waited for,
 * for a day at most. Ticks in which nothing can happen are not computed. With the daemon's configuration, load
 * balancers are listed and pools compared as in the daemon; that does not prolong the replay. Source: the replay rules
 * in {@code docs/replay.md}.
 */
public final class Replay {

    /** How long a replay may continue after the last event. */
    static final Duration LONGEST_TAIL = Duration.ofDays(1);

    private final FakeTime time;
    private final ClusterListener cluster;
    private final Engine engine;
    private final LaneStarts lanes;
    private final Speed speed;
    private final TickTimes ticks;
    private final boolean isEager;
    private final boolean listsAgain;
    private long earliestTick;
    private Instant lastEnd = VirtualTime.START;
    private @Nullable Throwable thrown;

    public Replay(ReplayOptions options, FakeTime time, ClusterListener cluster, Engine engine, LaneStarts lanes) {
        this.time = time;
        this.cluster = cluster;
        this.engine = engine;
        this.lanes = lanes;
        this.speed = options.speed();
        this.isEager = options.engine().pace() instanceof Pace.Eager;
        this.listsAgain = options.daemon().isPresent();
        this.ticks = new TickTimes(options.interval().toMillis());
        this.earliestTick = ticks.notBefore(0);
    }

    /** The kinds of steps besides watch events, in the order in which they run at the same instant. */
    private enum Kind {
        WAIT_END,
        END,
        LISTING,
        TICK,
        START
    }

    private record Step(Instant at, Kind kind) implements Comparable<Step> {

        private static final Comparator<Step> ORDER =
                Comparator.comparing(Step::at).thenComparing(Step::kind);

        @Override
        public int compareTo(Step other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * Plays to the end.
     *
     * @param progress receives the number of events played, after each one
     * @return the time of the last event or of the end of the last call, whichever is later
     * @throws BadInputException if a recording has changed since it was checked
     */
    Instant play(RecordingPlayer player, LongConsumer progress) throws BadInputException, InterruptedException {
        Instant last = VirtualTime.START;
        long played = 0;
        for (RecordedEvent event = player.next(); event != null; event = player.next()) {
            last = VirtualTime.instant(event.offsetMillis());
            playUntil(last);
            moveTo(last);
            event.change().report(cluster);
            progress.accept(++played);
        }
        playTail(last.plus(LONGEST_TAIL));
        return lastEnd.isAfter(last) ? lastEnd : last;
    }

    /** Plays to the end and closes the player. */
    Instant playAndClose(RecordingPlayer player, LongConsumer progress) throws BadInputException, InterruptedException {
        try (player) {
            return play(player, progress);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The current virtual time. */
    Instant now() {
        return time.instant();
    }

    /** Runs everything before an event. */
    private void playUntil(Instant event) throws InterruptedException {
        if (!listsAgain
                && !isEager
                && lanes.nextEnd().isEmpty()
                && engine.nextEnd().isEmpty()
                && !VirtualTime.instant(earliestTick).isBefore(event)) {
            return; // the common case: nothing can happen before this event
        }
        for (Optional<Step> next = next(true); isBefore(next, event); next = next(true)) {
            take(next.orElseThrow());
        }
    }

    private static boolean isBefore(Optional<Step> step, Instant event) {
        return step.isPresent() && step.get().at().isBefore(event);
    }

    /** Runs everything up to and including an instant, while operations are queued or in progress. */
    private void playTail(Instant end) throws InterruptedException {
        for (Optional<Step> work = next(false); isBefore(work, end.plusNanos(1)); work = next(false)) {
            take(next(listsAgain).orElseThrow());
        }
    }

    private Optional<Step> next(boolean listings) {
        return Stream.of(
                        engine.nextEnd().map(at -> new Step(at, Kind.WAIT_END)),
                        lanes.nextEnd().map(at -> new Step(at, Kind.END)),
                        Optional.of(new Step(notPast(engine.nextListing()), Kind.LISTING))
                                .filter(listing -> listings && listsAgain),
                        nextTick().map(at -> new Step(at, Kind.TICK)),
                        nextStart().map(at -> new Step(at, Kind.START)))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    /** The next tick at which something can happen. */
    private Optional<Instant> nextTick() {
        if (isEager) {
            return Optional.empty();
        }
        long earliest = Math.max(earliestTick, ticks.notBefore(VirtualTime.millisNotBefore(time.instant())));
        return engine.nextEligibleAt()
                .map(eligible -> Math.max(earliest, ticks.notBefore(VirtualTime.millisNotBefore(eligible))))
                .filter(tick -> tick != TickTimes.NEVER)
                .map(VirtualTime::instant);
    }

    private Optional<Instant> nextStart() {
        return lanes.hasStarts()
                ? Optional.of(time.instant())
                : engine.nextStart().map(this::notPast);
    }

    private Instant notPast(Instant at) {
        return at.isBefore(time.instant()) ? time.instant() : at;
    }

    private void take(Step step) throws InterruptedException {
        moveTo(step.at());
        switch (step.kind()) {
            case WAIT_END -> engine.endWaits();
            case END -> {
                lanes.endCalls();
                lastEnd = step.at();
            }
            case LISTING -> engine.listIfDue();
            case TICK -> {
                tick();
                earliestTick = ticks.after(VirtualTime.millis(step.at()));
            }
            case START -> {
                if (isEager) {
                    tick();
                }
                lanes.start();
            }
        }
        if (thrown != null) {
            throw new IllegalStateException("an update failed with an unexpected error", thrown);
        }
    }

    private void tick() {
        CompletableFuture<Void> unused = engine.tick().whenComplete((done, error) -> {
            if (error != null) {
                thrown = error;
            }
        });
    }

    private void moveTo(Instant at) throws InterruptedException {
        speed.await(VirtualTime.millis(at));
        time.advanceTo(at);
    }
}
