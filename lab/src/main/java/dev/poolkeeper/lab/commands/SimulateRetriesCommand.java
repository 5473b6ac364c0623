package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.ExitCode;
import dev.poolkeeper.app.commands.Version;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.lab.retries.HtmlPage;
import dev.poolkeeper.lab.retries.RetrySimulation;
import dev.poolkeeper.lab.retries.SimulationJson;
import dev.poolkeeper.lab.retries.SimulationText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code simulate-retries}: shows the effect of a retry policy before it is deployed. */
@Command(
        name = "simulate-retries",
        description = "Simulates a workload against a backend that fails, slows down, throttles or is overloaded, under"
                + " several retry policies, and shows the effect of each on load and success.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class SimulateRetriesCommand implements Callable<Integer> {

    private static final int HUNDRED = 100;

    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(
            names = "--scenario",
            paramLabel = "NAME|FILE",
            description = "One of linkerd-demo, outage, overload, chain, arm-quota, or your own file,"
                    + " - for standard input. Default: ${DEFAULT-VALUE}")
    private String scenario = "linkerd-demo";

    @Option(names = "--seed", paramLabel = "N", description = "Repeats a run exactly. Default: that of the scenario.")
    private @Nullable String seed;

    @Option(names = "--output", paramLabel = "text|json", description = "The output format. Default: ${DEFAULT-VALUE}")
    private String output = "text";

    @Option(names = "--html", paramLabel = "FILE", description = "Writes a page with charts over time.")
    private @Nullable String html;

    SimulateRetriesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws BadInputException, IOException {
        if (!List.of("text", "json").contains(output)) {
            throw new BadInputException(
                    new InputFault("--output", "", "found \"" + output + "\", must be one of text, json"));
        }
        OptionalLong chosenSeed = chosenSeed();
        OutputFile page = html == null ? null : OutputFile.of("--html", html, List.of(scenario));
        AtomicBoolean stopped = new AtomicBoolean();
        try (Interrupts.Work work = terminal.interrupts().during(() -> stopped.set(true))) {
            return show(simulation(chosenSeed, stopped), page);
        }
    }

    private RetrySimulation simulation(OptionalLong chosenSeed, AtomicBoolean stopped) throws BadInputException {
        Progress progress = terminal.progress(spec.commandLine().getErr(), "simulated %1$d %%", HUNDRED);
        RetrySimulation simulation = RetrySimulation.run(scenario, chosenSeed, percent -> {
            progress.show(percent);
            return !stopped.get();
        });
        progress.clear();
        return simulation;
    }

    private int show(RetrySimulation simulation, @Nullable OutputFile page) throws IOException {
        if (!simulation.isWhole()) {
            PrintWriter text = output.equals("json")
                    ? spec.commandLine().getErr()
                    : spec.commandLine().getOut();
            SimulationText.lines(simulation, output.equals("json") ? terminal.errWidth() : terminal.outWidth())
                    .forEach(text::println);
            text.printf(
                    "Interrupted: %d of %d policies were completed.%n",
                    simulation.results().size(),
                    simulation.scenario().policies().size());
            return ExitCode.INTERRUPTED;
        }
        if (page != null) {
            page.write(out -> out.write(HtmlPage.of(simulation)));
        }
        if (output.equals("json")) {
            spec.commandLine().getOut().println(SimulationJson.of(simulation));
        } else {
            SimulationText.lines(simulation, terminal.outWidth())
                    .forEach(spec.commandLine().getOut()::println);
        }
        return ExitCode.DONE;
    }

    private OptionalLong chosenSeed() throws BadInputException {
        if (seed == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(seed));
        } catch (NumberFormatException e) {
            throw new BadInputException(
                    new InputFault("--seed", "", "found \"" + seed + "\", must be a whole number of 64 bits"), e);
        }
    }
}
