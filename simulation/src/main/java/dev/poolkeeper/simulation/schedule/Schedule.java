package dev.poolkeeper.simulation.schedule;

import dev.poolkeeper.simulation.time.Chance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All external events of one run, in order. The same seed, mode and length give the same schedule.
 *
 * @param seed the seed it was drawn from
 * @param mode the mode of the run
 * @param lengthMillis the length of the run
 * @param steps ordered by time
 */
public record Schedule(long seed, Mode mode, long lengthMillis, List<Step> steps) {

    /** These have an effect only in combination with writes: they are drawn twice as often as the others. */
    private static final List<StepKind> SELDOM_FELT =
            List.of(StepKind.ARM_THROTTLED_WRITES, StepKind.ARM_OPERATION_SLOW, StepKind.STOP, StepKind.SLICES_LOST);

    private static final List<StepKind> FAULTS = Stream.concat(
                    Stream.of(StepKind.values()).filter(StepKind::isFault), SELDOM_FELT.stream())
            .toList();
    private static final List<StepKind> CHANGES =
            Stream.of(StepKind.values()).filter(kind -> !kind.isFault()).toList();

    /** Ordinary changes. */
    private static final double CHANGES_A_MINUTE = 25;

    public Schedule {
        steps = List.copyOf(steps);
    }

    /** The time after which no external event happens. */
    public long quietFromMillis() {
        return mode == Mode.LIVENESS ? lengthMillis / 2 : lengthMillis;
    }

    /** The choices that depend on the seed alone. */
    public Setup setup() {
        return Setup.of(seed);
    }

    /** Draws the schedule of a seed. */
    public static Schedule of(long seed, Mode mode, int minutes) {
        Schedule empty = new Schedule(seed, mode, minutes * 60_000L, List.of());
        Chance chance = new Chance(seed).forked(mode == Mode.SAFETY ? 101 : 102);
        long quiet = empty.quietFromMillis();
        double density = mode == Mode.LIVENESS ? 2 : 1; // in half the time
        List<Step> steps = new ArrayList<>();
        int changes = (int) Math.ceil(CHANGES_A_MINUTE * density * quiet / 60_000);
        int faults = (int) Math.ceil(empty.setup().faultsAMinute() * density * quiet / 60_000);
        for (int i = 0; i < changes; i++) {
            StepKind kind = chance.happens(0.6) ? StepKind.PODS_MOVE : chance.pick(CHANGES);
            steps.add(new Step(0, chance.between(0, quiet - 1), kind, chance.between(0, Long.MAX_VALUE - 1)));
        }
        for (int i = 0; i < faults; i++) {
            steps.add(new Step(
                    0, chance.between(0, quiet - 1), chance.pick(FAULTS), chance.between(0, Long.MAX_VALUE - 1)));
        }
        steps.sort(Comparator.comparingLong(Step::atMillis));
        List<Step> numbered = new ArrayList<>();
        for (Step step : steps) {
            numbered.add(new Step(numbered.size(), step.atMillis(), step.kind(), step.salt()));
        }
        return new Schedule(seed, mode, empty.lengthMillis(), numbered);
    }

    /** The same run with only these steps. */
    public Schedule keeping(Collection<Step> kept) {
        Set<Step> set = Set.copyOf(kept);
        return new Schedule(
                seed, mode, lengthMillis, steps.stream().filter(set::contains).toList());
    }

    /** The same run with only the steps of these numbers. */
    public Schedule keepingNumbers(Collection<Integer> numbers) {
        Set<Integer> set = Set.copyOf(numbers);
        return new Schedule(
                seed,
                mode,
                lengthMillis,
                steps.stream().filter(step -> set.contains(step.number())).toList());
    }
}
