package dev.poolkeeper.lab.simulate;

import dev.poolkeeper.simulation.RunResult;
import dev.poolkeeper.simulation.Shrinker;
import dev.poolkeeper.simulation.Simulation;
import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.invariant.Violation;
import dev.poolkeeper.simulation.schedule.Schedule;
import dev.poolkeeper.simulation.schedule.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes failed runs to files, shrunk, each with a single command that reproduces it. */
public final class Failures {

    private final SimulateArguments arguments;
    private final String commit;

    private Failures(SimulateArguments arguments, String commit) {
        this.arguments = arguments;
        this.commit = commit;
    }

    /** @param commit the commit that reproduces the failure */
    public static Failures of(SimulateArguments arguments, String commit) {
        return new Failures(arguments, commit);
    }

    /**
     * Writes a failure into its own folder.
     *
     * @param shorten whether to shrink its schedule first
     * @return a description, with the command and the folder
     */
    public String write(RunResult failed, boolean shorten) throws IOException {
        Schedule schedule = shorten ? Shrinker.shrink(failed, DaemonFlaws.NONE) : failed.schedule();
        RunResult run = Simulation.run(schedule, DaemonFlaws.NONE, true);
        Violation violation = run.violation().orElseThrow();
        String mode = schedule.mode().name().toLowerCase(Locale.ROOT);
        Path folder = arguments.failures().resolve("seed-%d-%s".formatted(schedule.seed(), mode));
        Files.createDirectories(folder);
        String story = "seed %d, %s: %s%n%s%n  repeat: %s%n  written: %s"
                .formatted(schedule.seed(), mode, violation, steps(schedule), command(schedule, mode), folder);
        Files.writeString(folder.resolve("story.txt"), story + System.lineSeparator());
        Files.write(folder.resolve("timeline.txt"), run.timeline());
        Files.write(folder.resolve("recording.jsonl"), run.files().recording());
        Files.writeString(folder.resolve("inventory.json"), run.files().inventory());
        Files.writeString(folder.resolve("faults.json"), run.files().faults());
        return story;
    }

    private static String steps(Schedule schedule) {
        List<Step> steps = schedule.steps();
        return steps.isEmpty()
                ? "  with no step from outside"
                : steps.stream().map(step -> "  " + step).collect(Collectors.joining(System.lineSeparator()));
    }

    private String command(Schedule schedule, String mode) {
        String numbers = schedule.steps().stream()
                .map(step -> Integer.toString(step.number()))
                .collect(Collectors.joining(","));
        return "git checkout %s && ./poolkeeper simulate --seeds %d..%d --mode %s --minutes %d --timeline%s"
                .formatted(
                        commit,
                        schedule.seed(),
                        schedule.seed(),
                        mode,
                        arguments.minutes(),
                        numbers.isEmpty() ? "" : " --steps " + numbers);
    }
}
