package dev.poolkeeper.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The daemon's response to commands that only the lab has. */
class ElsewhereTest {

    private static final String WHERE =
            ": is not in the daemon's image; it is in the image poolkeeper-lab, and in ./poolkeeper of a checkout";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replay",
                "replay --help",
                "replay recording.jsonl --inventory inventory.json",
                "simulate --seeds 1..2",
                "simulate-retries",
                "arm-emulator --port 0",
                "record --config a.yaml",
                "retry-gateway --routes a.yaml"
            })
    void a_command_of_the_lab_fails_with_a_hint_where_to_find_it(String line) {
        String[] args = line.split(" ");

        CommandLineRun run = CommandLineRun.of(args);

        assertThat(run.errLines()).containsExactly("poolkeeper: " + args[0] + WHERE);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--sandbox",
                "--recording some.jsonl --sandbox",
                "--recording a.jsonl",
                "--config some.yaml --faults some.json",
                "--inventory a.json"
            })
    void the_sandbox_fails_with_a_hint_where_to_find_it(String options) {
        CommandLineRun run = CommandLineRun.of(("run " + options).split(" "));

        assertThat(run.errLines()).containsExactly("poolkeeper: run --sandbox" + WHERE);
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void the_help_lists_only_available_commands() {
        assertThat(CommandLineRun.of("--help").out())
                .contains("run", "check-config")
                .doesNotContain("replay", "simulate", "arm-emulator", "retry-gateway", "record");
        assertThat(CommandLineRun.of("run", "--help").out())
                .contains("--config")
                .doesNotContain("sandbox");
    }

    @Test
    void a_daemon_without_a_configuration_is_refused() {
        CommandLineRun run = CommandLineRun.of("run");

        assertThat(run.errLines()).containsExactly("poolkeeper: run: needs --config FILE");
        assertThat(run.exitCode()).isEqualTo(2);
    }
}
