package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.ExitCode;
import dev.poolkeeper.app.commands.Version;
import dev.poolkeeper.app.logging.Logging;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.lab.simulate.CheckoutCommit;
import dev.poolkeeper.lab.simulate.Failures;
import dev.poolkeeper.lab.simulate.SimulateArguments;
import dev.poolkeeper.lab.simulate.SimulateReport;
import dev.poolkeeper.simulation.Campaign;
import dev.poolkeeper.simulation.CampaignResult;
import dev.poolkeeper.simulation.RunResult;
import dev.poolkeeper.simulation.Simulation;
import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Schedule;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code simulate}: simulates the whole system under faults, seed by seed. */
@Command(
        name = "simulate",
        description = "Runs the whole system on virtual time under faults, once for each seed and mode, and checks its"
                + " invariants after every event. The schedule of a failure is shrunk and written to files.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class SimulateCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(names = "--seeds", paramLabel = "A..B", required = true, description = "The range of seeds, inclusive.")
    private String seeds = "";

    @Option(
            names = "--mode",
            paramLabel = "safety|liveness|both",
            description =
                    "safety: faults until the end; liveness: faults stop, and the pools must reach their desired state."
                            + " Default: ${DEFAULT-VALUE}")
    private String mode = "both";

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "The number of JVMs, each with one run at a time. Default: the number of processors")
    private @Nullable String jobs;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "The length of a run, at least 10. Default: ${DEFAULT-VALUE}")
    private String minutes = "10";

    @Option(
            names = "--steps",
            paramLabel = "N,N,...",
            description = "Runs only these steps of the schedule, as listed by a failure; for one seed in one mode.")
    private @Nullable String steps;

    @Option(
            names = "--failures",
            paramLabel = "DIR",
            description = "The folder for failures. Default: ${DEFAULT-VALUE}")
    private String failures = "simulation-failures";

    @Option(names = "--timeline", description = "Prints the timeline, line by line; for one seed in one mode.")
    private boolean timeline;

    @Option(names = "--output", paramLabel = "text|json", description = "The output format. Default: ${DEFAULT-VALUE}")
    private String output = "text";

    SimulateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws BadInputException, IOException, InterruptedException {
        SimulateArguments arguments = arguments();
        try (Logging.Silence silence = Logging.silence()) { // no simulated thread may wait for a real one
            return arguments.single() ? one(arguments) : many(arguments);
        }
    }

    /** The validated arguments. */
    SimulateArguments arguments() throws BadInputException {
        return SimulateArguments.read(seeds, mode, jobs, minutes, steps, timeline, output, failures);
    }

    private int one(SimulateArguments arguments) throws BadInputException, IOException {
        Schedule whole = Schedule.of(arguments.from(), arguments.modes().get(0), arguments.minutes());
        List<Integer> numbers = arguments.steps();
        requireSteps(whole, numbers == null ? List.of() : numbers);
        Schedule schedule = numbers == null ? whole : whole.keepingNumbers(numbers);
        RunResult run = Simulation.run(schedule, DaemonFlaws.NONE, true);
        PrintWriter out = spec.commandLine().getOut();
        if (timeline) {
            run.timeline().forEach(out::println);
        }
        if (run.violation().isEmpty()) {
            out.printf(
                    "seed %d, %s: every invariant held%n",
                    arguments.from(), arguments.modes().get(0));
            return ExitCode.DONE;
        }
        out.println(Failures.of(arguments, CheckoutCommit.find()).write(run, numbers == null));
        return ExitCode.FAILED;
    }

    private static void requireSteps(Schedule whole, List<Integer> numbers) throws BadInputException {
        int most = whole.steps().size() - 1;
        List<InputFault> faults = numbers.stream()
                .filter(number -> number > most)
                .map(number -> new InputFault(
                        "--steps", "", "found " + number + ", must be the number of a step from 0 to " + most))
                .toList();
        if (!faults.isEmpty()) {
            throw new BadInputException(faults);
        }
    }

    private int many(SimulateArguments arguments) throws IOException, InterruptedException {
        long began = System.nanoTime();
        PrintWriter err = spec.commandLine().getErr();
        Progress progress = terminal.progress(err, "ran %d of %d seeds (%d %%)", arguments.count());
        Campaign campaign = new Campaign(
                arguments.from(),
                arguments.to(),
                arguments.jobs(),
                arguments.modes(),
                arguments.minutes(),
                progress::show);
        try (Interrupts.Work work = terminal.interrupts().during(campaign::stop)) {
            CampaignResult result = campaign.run();
            progress.clear();
            SimulateReport report = new SimulateReport(result, arguments, (System.nanoTime() - began) / 1e9);
            if (campaign.isStopped()) {
                showPart(
                        report,
                        result,
                        "Interrupted after %d of %d seeds.".formatted(progress.done(), arguments.count()));
                return ExitCode.INTERRUPTED;
            }
            return show(report, result, arguments);
        }
    }

    /** Shows partial results: failures are listed, but not shrunk. */
    private void showPart(SimulateReport report, CampaignResult result, String why) {
        PrintWriter text = output.equals("json")
                ? spec.commandLine().getErr()
                : spec.commandLine().getOut();
        report.partialLines().forEach(text::println);
        result.failures()
                .forEach(failure -> text.printf(
                        "seed %d, %s: %s%n",
                        failure.schedule().seed(),
                        failure.schedule().mode(),
                        failure.violation().orElseThrow()));
        text.println(why);
    }

    private int show(SimulateReport report, CampaignResult result, SimulateArguments arguments) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        Failures written = Failures.of(arguments, CheckoutCommit.find());
        for (RunResult failure : result.failures()) {
            Mode failedMode = failure.schedule().mode();
            err.printf("shrinking seed %d (%s) ...%n", failure.schedule().seed(), failedMode);
            String story = written.write(failure, true);
            (output.equals("json") ? err : spec.commandLine().getOut()).println(story);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (output.equals("json")) {
            out.println(report.json());
        } else {
            report.lines().forEach(out::println);
        }
        report.stopped().ifPresent(err::println);
        return result.isGood() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
