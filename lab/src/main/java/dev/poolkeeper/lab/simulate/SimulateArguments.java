package dev.poolkeeper.lab.simulate;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.simulation.schedule.Mode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The validated arguments of {@code simulate}.
 *
 * @param from the first seed
 * @param to the last seed
 * @param modes the modes in which each seed is simulated
 * @param jobs the number of JVMs, each with one run at a time
 * @param minutes the length of a run
 * @param steps the steps to keep, null for all
 * @param single whether it is a single run, to be reported in full
 * @param failures the folder for failures
 */
public record SimulateArguments(
        long from,
        long to,
        List<Mode> modes,
        int jobs,
        int minutes,
        @Nullable List<Integer> steps,
        boolean single,
        Path failures) {

    private static final Pattern RANGE = Pattern.compile("(\\d{1,18})\\.\\.(\\d{1,18})");
    private static final Pattern NUMBERS = Pattern.compile("\\d{1,9}(,\\d{1,9})*");
    private static final int LEAST_MINUTES = 10;
    private static final int MOST_MINUTES = 1440;
    private static final int MOST_JOBS = 1024;

    /** The number of seeds. */
    public long count() {
        return to - from + 1;
    }

    /** @throws BadInputException with every fault */
    public static SimulateArguments read(
            String seeds,
            String mode,
            @Nullable String jobs,
            String minutes,
            @Nullable String steps,
            boolean timeline,
            String output,
            String failures)
            throws BadInputException {
        List<InputFault> faults = new ArrayList<>();
        Matcher range = RANGE.matcher(seeds);
        long from = range.matches() ? Long.parseLong(range.group(1)) : 0;
        long to = range.matches() ? Long.parseLong(range.group(2)) : -1;
        require(faults, from <= to, "--seeds", seeds, "must be A..B with whole numbers, 0 <= A <= B");
        List<Mode> modes = switch (mode) {
            case "safety" -> List.of(Mode.SAFETY);
            case "liveness" -> List.of(Mode.LIVENESS);
            case "both" -> List.of(Mode.SAFETY, Mode.LIVENESS);
            default -> List.of();
        };
        require(faults, !modes.isEmpty(), "--mode", mode, "must be one of safety, liveness, both");
        int jobCount = jobs == null ? Runtime.getRuntime().availableProcessors() : number(jobs);
        require(
                faults,
                jobCount >= 1 && jobCount <= MOST_JOBS,
                "--jobs",
                String.valueOf(jobs),
                "must be a whole number from 1 to " + MOST_JOBS);
        int minuteCount = number(minutes);
        require(
                faults,
                minuteCount >= LEAST_MINUTES && minuteCount <= MOST_MINUTES,
                "--minutes",
                minutes,
                "must be a whole number from %d to %d".formatted(LEAST_MINUTES, MOST_MINUTES));
        require(faults, List.of("text", "json").contains(output), "--output", output, "must be one of text, json");
        boolean one = from == to && modes.size() == 1;
        require(
                faults,
                steps == null || NUMBERS.matcher(steps).matches(),
                "--steps",
                String.valueOf(steps),
                "must be numbers of steps, separated by commas");
        require(
                faults,
                one || steps == null && !timeline,
                steps == null ? "--timeline" : "--steps",
                seeds + ", " + mode,
                "needs one seed and one mode");
        if (!faults.isEmpty()) {
            throw new BadInputException(faults);
        }
        return new SimulateArguments(
                from,
                to,
                modes,
                jobCount,
                minuteCount,
                steps == null ? null : numbers(steps),
                one && (steps != null || timeline),
                Path.of(failures));
    }

    private static void require(List<InputFault> faults, boolean holds, String option, String found, String allowed) {
        if (!holds) {
            faults.add(new InputFault(option, "", "found \"" + found + "\", " + allowed));
        }
    }

    private static int number(String text) {
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
    }

    private static List<Integer> numbers(String text) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            numbers.add(Integer.parseInt(part));
        }
        return List.copyOf(numbers);
    }
}
