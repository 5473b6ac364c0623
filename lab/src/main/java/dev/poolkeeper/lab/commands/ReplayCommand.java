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
import dev.poolkeeper.lab.replay.StoppableSpeed;
import dev.poolkeeper.lab.wiring.ReplayModule;
import dev.poolkeeper.ports.SystemTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code replay}: plays recorded watch events through the whole updater. */
@Command(
        name = "replay",
        description = "Plays recorded watch events through the whole updater against an emulated cloud and shows the"
                + " results. Without recordings: the bundled recording, inventory and faults.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class ReplayCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private ReplayArguments arguments;

    ReplayCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws BadInputException, IOException {
        try (SystemTime time = new SystemTime()) {
            ReplayOptions options = arguments.check(time);
            StoppableSpeed speed = new StoppableSpeed(options.speed());
            try (Interrupts.Work work = terminal.interrupts().during(speed::stop)) {
                return run(options.withSpeed(speed), speed);
            }
        }
    }

    private int run(ReplayOptions options, StoppableSpeed speed) throws BadInputException, IOException {
        String report = arguments.report;
        boolean jsonOnStandardOutput = arguments.output.equals("json") || "-".equals(report);
        OutputFile reportFile =
                report == null || report.equals("-") ? null : OutputFile.of("--report", report, arguments.inputs());
        PrintWriter text = jsonOnStandardOutput
                ? spec.commandLine().getErr()
                : spec.commandLine().getOut();
        Progress progress = terminal.progress(
                spec.commandLine().getErr(),
                "played %s of %s events (%s %%)",
                options.input().events());
        Ansi colours = jsonOnStandardOutput ? terminal.errColours() : terminal.outColours();
        int width = jsonOnStandardOutput ? terminal.errWidth() : terminal.outWidth();
        ReplayResult result = replay(
                options,
                progress,
                emitted -> ReplaySummary.lines(emitted, colours, width).forEach(text::println));
        if (speed.isStopped()) {
            text.printf(
                    "%nInterrupted after %s of %s events; showing partial results.%n",
                    progress.done(), options.input().events());
            ReplaySummary.lines(result, width).forEach(text::println);
            return ExitCode.INTERRUPTED;
        }
        ReplaySummary.lines(result, width).forEach(text::println);
        if (jsonOnStandardOutput) {
            ReportJson.write(result, spec.commandLine().getOut());
        }
        if (reportFile != null) {
            reportFile.write(out -> ReportJson.write(result, out));
        }
        return result.isExplained() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static ReplayResult replay(ReplayOptions options, Progress progress, Consumer<Emitted> show)
            throws BadInputException {
        Consumer<Emitted> onEvent = emitted -> {
            progress.clear();
            show.accept(emitted);
        };
        ReplayResult result = Guice.createInjector(Stage.PRODUCTION, new ReplayModule(options, onEvent))
                .getInstance(ReplaySession.class)
                .run(progress::show);
        progress.clear();
        return result;
    }
}
