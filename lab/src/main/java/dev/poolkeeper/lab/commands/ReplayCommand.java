package dev.poolkeeper.lab.commands;

import com.google.inject.Guice;
import com.google.inject.Stage;
import dev.poolkeeper.app.commands.ExitCode;
import dev.poolkeeper.app.commands.Version;
import dev.poolkeeper.fake.FakeServiceEvents.Emitted;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.replay.ReplayOptions;
import dev.poolkeeper.lab.replay.ReplayResult;
import dev.poolkeeper.lab.replay.ReplaySession;
import dev.poolkeeper.lab.replay.ReplaySummary;
import dev.poolkeeper.lab.replay.ReportJson;
import dev.poolkeeper.lab.wiring.ReplayModule;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay}: recorded watch events through the whole updater. */
@Command(
        name = "replay",
        description = "Plays recorded watch events through the whole updater against an emulated cloud and shows what"
                + " happened. Without recordings: the bundled recording, inventory and faults.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class ReplayCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Parameters(paramLabel = "RECORDING", description = "Recordings, played together in order of their offsets.")
    private List<String> recordings = new ArrayList<>();

    @Option(names = "--inventory", paramLabel = "FILE", description = "The ARM inventory the cloud starts with.")
    private @Nullable String inventory;

    @Option(names = "--faults", paramLabel = "FILE", description = "The faults the cloud shows.")
    private @Nullable String faults;

    @Option(
            names = "--via",
            paramLabel = "memory|https",
            description =
                    "How the cloud is reached; memory: in this process, exact and repeatable; https: the real Azure"
                            + " SDK over TLS against the ARM emulator in this process. Default: https for the bundled"
                            + " recording, else memory")
    private @Nullable String via;

    @Option(
            names = "--speed",
            paramLabel = "max|N",
            description = "max: as fast as it goes; N: N times recorded speed. Default: ${DEFAULT-VALUE}")
    private String speed = "max";

    @Option(
            names = "--model",
            paramLabel = "diff|desired-state",
            description = "The update model. Default: desired-state")
    private @Nullable String model;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "Between ticks, greater than 0, fractions allowed. Default: 30")
    private @Nullable String interval;

    @Option(
            names = "--max-retries",
            paramLabel = "N",
            description = "Extra attempts after the first failed one. Default: 3")
    private @Nullable String maxRetries;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The daemon's settings (guards, comparisons, model, interval) instead of the reference"
                    + " behaviour. Options given here stand above the file.")
    private @Nullable String config;

    @Option(
            names = "--dry-run",
            description = "Writes nothing: reads and compares at every tick, and says what would be written.")
    private boolean dryRun;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Writes what happened as JSON, - for standard output.")
    private @Nullable String report;

    @Option(
            names = "--output",
            paramLabel = "text|json",
            description = "What standard output shows; json: the report. Default: ${DEFAULT-VALUE}")
    private String output = "text";

    @Override
    public Integer call() throws BadInputException, IOException, InterruptedException {
        ReplayArguments arguments = new ReplayArguments(
                recordings, inventory, faults, chosenVia(), speed, model, interval, maxRetries, dryRun, config, output);
        ReplayOptions options = arguments.check();
        long events = options.events();
        boolean jsonOnStandardOutput = output.equals("json") || "-".equals(report);
        OutputFile reportFile =
                report == null || report.equals("-") ? null : OutputFile.of("--report", report, inputs());
        PrintWriter text = jsonOnStandardOutput
                ? spec.commandLine().getErr()
                : spec.commandLine().getOut();
        ReplayResult result = replay(options, new Progress(spec.commandLine().getErr(), events), text::println);
        ReplaySummary.lines(result).forEach(text::println);
        if (jsonOnStandardOutput) {
            ReportJson.write(result, spec.commandLine().getOut());
        }
        if (reportFile != null) {
            reportFile.write(out -> ReportJson.write(result, out));
        }
        return result.isExplained() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private List<@Nullable String> inputs() {
        List<@Nullable String> inputs = new ArrayList<>(recordings);
        inputs.add(inventory);
        inputs.add(faults);
        return inputs;
    }

    private String chosenVia() {
        return via != null ? via : recordings.isEmpty() ? "https" : "memory";
    }

    private static ReplayResult replay(ReplayOptions options, Progress progress, Consumer<String> text)
            throws BadInputException, InterruptedException {
        Consumer<Emitted> onEvent = emitted -> {
            progress.clear();
            text.accept(ReplaySummary.line(emitted));
        };
        ReplayResult result = Guice.createInjector(Stage.PRODUCTION, new ReplayModule(options, onEvent))
                .getInstance(ReplaySession.class)
                .run(progress::show);
        progress.clear();
        return result;
    }
}
