package dev.poolkeeper.app.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.poolkeeper.app.config.LiveSettings.LogLevels;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Help, completion, and the response to a wrong command. */
class RootCommandTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stats           | stats: no such command; did you mean status? See poolkeeper --help",
                "xyzzy           | xyzzy: no such command. See poolkeeper --help",
                "status --nod n1 | --nod: no such option; did you mean --node? See poolkeeper status --help",
                "status a/b c/d  | c/d: no such argument. See poolkeeper status --help",
            })
    void an_unknown_word_is_reported_with_the_nearest_match(String line, String message) {
        CommandLineRun run = CommandLineRun.of(line.split(" "));

        assertThat(run.errLines()).containsExactly("poolkeeper: " + message);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void help_for_a_command_equals_its_help_option() {
        assertThat(CommandLineRun.of("help", "status").out())
                .isEqualTo(CommandLineRun.of("status", "--help").out());
    }

    @Test
    void bash_completes_commands_and_options(@TempDir Path folder) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash here");
        Path script = folder.resolve("completion.bash");
        Files.writeString(script, CommandLineRun.of("completion").out());

        assertThat(completed(script, "poolkeeper", "sta")).isEqualTo("status");
        assertThat(completed(script, "poolkeeper", "status", "--no")).isEqualTo("--node");
    }

    private static String completed(Path script, String... words) throws IOException, InterruptedException {
        String line = "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_poolkeeper; echo \"${COMPREPLY[*]}\""
                .formatted(script, String.join(" ", words), words.length - 1);
        Process bash = new ProcessBuilder("/bin/bash", "-c", line)
                .redirectError(ProcessBuilder.Redirect.DISCARD) // outside of a terminal bash lacks compopt
                .start();
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(out).isZero();
        return out.strip();
    }

    private static CommandLineRun failing(Exception failure) {
        Callable<Integer> command = () -> {
            throw failure;
        };
        CommandLine line =
                new CommandLine(CommandSpec.wrapWithoutInspection(command).name("fail"));
        return CommandLineRun.of(
                (args, out, err) -> RootCommand.execute(
                        args, TerminalOutput.to(out, false), TerminalOutput.to(err, false), List.of(line)),
                "fail");
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                arguments(new NoSuchFileException("a.yaml"), "a.yaml: cannot be read or written"),
                arguments(new AccessDeniedException("a.yaml"), "a.yaml: cannot be read or written"),
                arguments(new AccessDeniedException("a", "b", null), "a: cannot be read or written"),
                arguments(new FileSystemException("a.yaml", null, "Not a directory"), "a.yaml: Not a directory"),
                arguments(new FileSystemException(null), "java.nio.file.FileSystemException"),
                arguments(new FileSystemException(null, null, "Too many open files"), "Too many open files"),
                arguments(new IOException("no connection"), "no connection"),
                arguments(new IOException(" two\nlines\u001b[31m\n"), "two lines?[31m"),
                arguments(new IOException(), "java.io.IOException"),
                arguments(new FileNotFoundException("a (No such file)"), "a (No such file)"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void what_a_command_fails_with_is_reported_in_one_line(Exception failure, String message) {
        CommandLineRun run = failing(failure);

        assertThat(run.errLines()).containsExactly("poolkeeper: " + message);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void an_internal_error_is_reported_with_its_stack_trace() {
        CommandLineRun run = failing(new IllegalStateException("planted"));

        assertThat(run.errLines()).startsWith("poolkeeper: java.lang.IllegalStateException: planted");
        assertThat(run.errLines()).anyMatch(line -> line.contains("at dev.poolkeeper.app.commands.RootCommandTest"));
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void each_fault_of_the_input_is_reported() {
        CommandLineRun run = failing(new BadInputException(
                List.of(new InputFault("a.yaml", "x", "is wrong"), new InputFault("a.yaml", "y", "is wrong"))));

        assertThat(run.errLines())
                .containsExactly("poolkeeper: a.yaml: x: is wrong", "poolkeeper: a.yaml: y: is wrong");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void an_interrupted_command_says_nothing() {
        CommandLineRun run = failing(new InterruptedException());

        assertThat(run.out() + run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(130);
    }

    @Test
    void without_a_command_there_is_a_hint() {
        CommandLineRun run = CommandLineRun.of();

        assertThat(run.errLines()).containsExactly("poolkeeper: a command is missing, see poolkeeper --help");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"--help, 1", "status --help, 1", "--version, 1", "completion, 1", "status web, 2", "xyzzy, 2"})
    void output_that_cannot_be_written_is_a_failure(String line, int exitCode) {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("No space left on device");
            }
        };

        CommandLineRun run = CommandLineRun.of(
                (args, out, err) -> RootCommand.execute(args, new PrintStream(full, true, StandardCharsets.UTF_8), err),
                line.split(" "));

        assertThat(run.exitCode()).isEqualTo(exitCode);
        assertThat(run.errLines())
                .filteredOn(message -> message.startsWith("poolkeeper: standard output: "))
                .isEqualTo(
                        exitCode == 2
                                ? List.of()
                                : List.of("poolkeeper: standard output: cannot be written, the disk is full or its"
                                        + " reader is gone"));
    }

    @ParameterizedTest
    @CsvSource({
        "error, ERROR",
        "warn, WARN",
        "info, INFO",
        "debug, DEBUG",
        "ERROR, ERROR",
        "Warn, WARN",
        "INFO, INFO",
        "dEBUG, DEBUG"
    })
    void a_level_in_any_case_takes_the_place_of_the_configured_one(String word, Level level) throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try {
            LogLevels levels = logLevel("--log-level", word)
                    .override()
                    .apply(new LogLevels(level == Level.WARN ? Level.INFO : Level.WARN, Map.of("a", Level.ERROR)));

            assertThat(levels).isEqualTo(new LogLevels(level, Map.of("a", Level.ERROR)));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void without_the_option_the_configured_level_stays() throws Exception {
        LogLevels configured = new LogLevels(Level.DEBUG, Map.of("a", Level.ERROR));

        assertThat(logLevel().override().apply(configured)).isEqualTo(configured);
    }

    @ParameterizedTest
    @ValueSource(strings = {"trace", "all", "off", "warning", "1", "info "})
    void another_level_is_refused(String word) {
        assertThatThrownBy(() -> logLevel("--log-level", word).override())
                .isInstanceOf(BadInputException.class)
                .hasMessage("--log-level: found \"" + word + "\", must be one of error, warn, info, debug");
    }

    private static LogLevelOption logLevel(String... args) {
        return CommandLine.populateCommand(new LogLevelOption(), args);
    }

    @ParameterizedTest
    @CsvSource({"check-config %s, FILE", "run --config %s, --config"})
    void a_name_that_no_file_can_have_is_refused(String line, String option) {
        CommandLineRun run = CommandLineRun.of(line.formatted("a\0b").split(" "));

        assertThat(run.errLines())
                .containsExactly("poolkeeper: " + option + ": found \"a?b\", must be the name of a file");
        assertThat(run.exitCode()).isEqualTo(2);
    }
}
