package dev.poolkeeper.app.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
