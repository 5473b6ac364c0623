package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.recording.RecordedEvent;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Plays recordings on virtual time: reports each watch event at its offset, and lets the engine take a step whenever it
 * wants to. At the same instant, watch events come first, then the ends of waits for missing nodes, the ends of calls,
 * listings, ticks, and starts of updates. After the last event it continues while operations are queued or nodes are
 * waited for, for a day at most. Without the daemon's configuration, ticks in which nothing can happen are not
 * computed. With it, load balancers are listed and pools compared as in the daemon; that does not prolong the replay.
 * Source: the replay rules in {@code docs/replay.md}.
 */
public final class Replay {

    /** How long a replay may continue after the last event. */
    static final Duration LONGEST_TAIL = Duration.ofDays(1);

    private final FakeTime time;
    private final EndpointIndex cluster;
    private final Engine engine;
    private final LaneStarts lanes;
    private final TickErrors errors;
    private final Speed speed;
    private final TickTimes ticks;
    private final boolean skipsTicks;
    private long earliestTick;
    private Instant nextStep = VirtualTime.START;
    private Instant lastEnd = VirtualTime.START;

    public Replay(
            ReplayOptions options,
            FakeTime time,
            EndpointIndex cluster,
            Engine engine,
            LaneStarts lanes,
            TickErrors errors) {
        this.time = time;
        this.cluster = cluster;
        this.engine = engine;
        this.lanes = lanes;
        this.speed = options.speed();
        this.errors = errors;
        this.skipsTicks =
                options.engine().pace() instanceof Pace.Tick && options.daemon().isEmpty();
        this.ticks = new TickTimes(options.interval().toMillis());
        this.earliestTick = ticks.notBefore(0);
        engine.onWake(() -> nextStep = time.instant());
    }

    /** The kinds of steps besides watch events, in the order in which they run at the same instant. */
    private enum Kind {
        WAIT_END,
        END,
        STEP,
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
        if (skipsTicks
                && lanes.nextEnd().isEmpty()
                && cluster.nextEnd().isEmpty()
                && !VirtualTime.instant(earliestTick).isBefore(event)) {
            return; // the common case: nothing can happen before this event
        }
        for (Optional<Step> next = next(); isBefore(next, event); next = next()) {
            take(next.orElseThrow());
        }
    }

    private static boolean isBefore(Optional<Step> step, Instant event) {
        return step.isPresent() && step.get().at().isBefore(event);
    }

    /** Runs everything up to and including an instant, while operations are queued or in progress. */
    private void playTail(Instant end) throws InterruptedException {
        while (hasWork()) {
            Optional<Step> next = next();
            if (!isBefore(next, end.plusNanos(1))) {
                return;
            }
            take(next.orElseThrow());
        }
    }

    private boolean hasWork() {
        return cluster.nextEnd().isPresent()
                || lanes.nextEnd().isPresent()
                || lanes.hasStarts()
                || engine.nextEligibleAt().isPresent();
    }

    private Optional<Step> next() {
        return Stream.of(
                        cluster.nextEnd().map(at -> new Step(at, Kind.WAIT_END)),
                        lanes.nextEnd().map(at -> new Step(at, Kind.END)),
                        nextStep().map(at -> new Step(notPast(at), Kind.STEP)),
                        Optional.of(new Step(time.instant(), Kind.START)).filter(start -> lanes.hasStarts()))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    private Optional<Instant> nextStep() {
        return skipsTicks ? nextTick() : Optional.of(nextStep);
    }

    /** The next tick at which something can happen. */
    private Optional<Instant> nextTick() {
        long earliest = Math.max(earliestTick, ticks.notBefore(VirtualTime.millisNotBefore(time.instant())));
        return engine.nextEligibleAt()
                .map(eligible -> Math.max(earliest, ticks.notBefore(VirtualTime.millisNotBefore(eligible))))
                .filter(tick -> tick != TickTimes.NEVER)
                .map(VirtualTime::instant);
    }

    private Instant notPast(Instant at) {
        return at.isBefore(time.instant()) ? time.instant() : at;
    }

    private void take(Step step) throws InterruptedException {
        moveTo(step.at());
        switch (step.kind()) {
            case WAIT_END -> cluster.endWaits();
            case END -> {
                lanes.endCalls();
                lastEnd = step.at();
            }
            case STEP -> {
                nextStep = Instant.MAX;
                Instant next;
                do { // in this thread, each one makes one update
                    next = engine.step();
                } while (skipsTicks && !next.isAfter(step.at()));
                nextStep = next.isBefore(nextStep) ? next : nextStep;
                earliestTick = ticks.after(VirtualTime.millis(step.at()));
            }
            case START -> lanes.start();
        }
        errors.rethrow();
    }

    private void moveTo(Instant at) throws InterruptedException {
        speed.await(VirtualTime.millis(at));
        time.advanceTo(at);
    }
}
