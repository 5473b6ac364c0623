package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Long commands on a simulated terminal. */
class TerminalTest {

    private static final String ERASE = "\r\u001b[K";
    private static final Path RECORDINGS = Path.of("..", "recordings");

    @TempDir
    private Path folder;

    private Runnable stop = () -> {};

    private static Terminal terminal(String streams, Map<String, String> environment) {
        return Terminal.of(streams, environment, Interrupts.NONE);
    }

    private static CommandLineRun run(Terminal terminal, String... args) {
        return CommandLineRun.of((typed, out, err) -> LabCommands.execute(typed, out, err, terminal), args);
    }

    /** Interrupts the command once standard error shows this text. */
    private CommandLineRun interruptedAt(String text, String... args) {
        Terminal terminal = Terminal.of("out,err", Map.of("NO_COLOR", "1"), ask -> {
            stop = ask;
            return () -> stop = () -> {};
        });
        return CommandLineRun.of(
                (typed, out, err) -> LabCommands.execute(typed, out, listening(err, text), terminal), args);
    }

    private PrintStream listening(PrintStream stream, String text) {
        return new PrintStream(
                new OutputStream() {
                    private final StringBuilder seen = new StringBuilder();

                    @Override
                    public void write(int b) {
                        stream.write(b);
                        seen.append((char) b);
                        if (seen.indexOf(text) >= 0) {
                            seen.setLength(0);
                            stop.run();
                        }
                    }
                },
                true,
                StandardCharsets.UTF_8);
    }

    private static String[] smallReplay(String... more) {
        String[] args = {
            "replay",
            RECORDINGS.resolve("churn-small.jsonl.gz").toString(),
            "--inventory",
            RECORDINGS.resolve("churn-small.inventory.json").toString(),
            "--faults",
            RECORDINGS.resolve("faults/exhausted.json").toString()
        };
        String[] all = Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return all;
    }

    @Test
    @Rule(
            id = "O26",
            says = "replay, simulate and simulate-retries show their progress only on a terminal: a line on standard"
                    + " error that is overwritten and erased at the end. Their reports are the same everywhere.",
            source = "ours")
    void progress_is_shown_on_a_terminal_and_erased_at_the_end() {
        CommandLineRun piped = run(Terminal.NONE, smallReplay());
        CommandLineRun shown = run(terminal("err", Map.of()), smallReplay());

        assertThat(piped.err()).isEmpty();
        assertThat(shown.err())
                .containsPattern("played \\d+ of \\d+ events \\(\\d+ %\\)")
                .endsWith(ERASE);
        assertThat(shown.out()).isEqualTo(piped.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "simulate --seeds 1..2 --mode safety --jobs 1 --failures FOLDER; ran 1 of 2 seeds (50 %)",
                "simulate-retries --scenario outage; simulated 50 %",
            })
    void every_long_command_shows_its_progress(String command, String text) {
        String[] args = command.replace("FOLDER", folder.toString()).split(" ", -1);

        assertThat(run(terminal("err", Map.of()), args).err())
                .contains(ERASE + text)
                .endsWith(ERASE);
        assertThat(run(terminal("out", Map.of()), args).err()).isEmpty();
    }

    @Test
    @Rule(
            id = "O21",
            says = "Outcomes are coloured only on a terminal; NO_COLOR and TERM=dumb are respected.",
            source = "https://no-color.org")
    void outcomes_are_coloured_only_on_a_terminal() {
        String plain = run(Terminal.NONE, smallReplay()).out();
        String coloured =
                run(terminal("out", Map.of("TERM", "xterm")), smallReplay()).out();

        assertThat(plain).doesNotContain("\u001b");
        assertThat(coloured)
                .contains(
                        "\u001b[31mFAILED  \u001b[39m", "\u001b[33mretrying\u001b[39m", "\u001b[32mupdated \u001b[39m");
        assertThat(words(coloured.replaceAll("\u001b\\[[0-9;]*m", ""))).isEqualTo(words(plain));
        assertThat(run(terminal("out", Map.of("NO_COLOR", "1")), smallReplay()).out())
                .doesNotContain("\u001b");
        assertThat(run(terminal("out", Map.of("TERM", "dumb")), smallReplay()).out())
                .doesNotContain("\u001b");
        assertThat(run(terminal("out", Map.of("NO_COLOR", "")), smallReplay()).out())
                .isEqualTo(coloured);
    }

    private static String words(String text) {
        return text.replaceAll("\\s+", " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"replay --via memory", "simulate-retries", "simulate --seeds 1..1 --jobs 1"})
    @Rule(
            id = "O23",
            says = "On a terminal the output of replay, simulate and simulate-retries fits 80 columns; elsewhere an"
                    + " event or a policy is one line.",
            source = "ours")
    void lines_on_a_terminal_fit_80_columns(String command) {
        String[] args = command.split(" ", -1);

        CommandLineRun run = run(terminal("out", Map.of("NO_COLOR", "1")), args);

        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(words(run.out()))
                .contains(
                        words(run(Terminal.NONE, args).out().lines().findFirst().orElseThrow()));
    }

    @Test
    @Rule(
            id = "O22",
            says = "An interrupted replay or simulation shows its results so far, and ends with exit code 130; no"
                    + " report is written.",
            source = "ours")
    void an_interrupted_replay_shows_its_results_so_far() throws IOException {
        Path report = folder.resolve("report.json");

        CommandLineRun run = interruptedAt("played ", smallReplay("--report", report.toString()));

        assertThat(run.exitCode()).isEqualTo(130);
        assertThat(run.out())
                .containsPattern("Interrupted after \\d+ of \\d+ events")
                .contains("Pools  ", "Calls  ");
        assertThat(Files.exists(report)).isFalse();
    }

    @Test
    void an_interrupted_replay_writes_no_report_to_standard_output() {
        CommandLineRun run = interruptedAt("played ", smallReplay("--report", "-"));

        assertThat(run.exitCode()).isEqualTo(130);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("Interrupted after");
    }

    @Test
    void an_interrupted_simulation_counts_the_completed_runs() {
        CommandLineRun run = interruptedAt(
                "ran 1 of 50", "simulate", "--seeds", "1..50", "--jobs", "1", "--failures", folder.toString());

        assertThat(run.exitCode()).isEqualTo(130);
        assertThat(run.out())
                .contains("2 runs of 10 simulated minutes", "Interrupted after 1 of 50 seeds.")
                .doesNotContain("MISSING:");
    }

    @Test
    void an_interrupted_simulation_of_retries_shows_the_completed_policies() {
        CommandLineRun run = interruptedAt("simulated 60 %", "simulate-retries", "--scenario", "outage");

        assertThat(run.exitCode()).isEqualTo(130);
        assertThat(run.out())
                .contains("POLICY")
                .containsPattern("Interrupted: [1-9] of \\d policies were completed\\.");
    }
}
