package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -} in place of a file. */
class StandardInputTest {

    private static final String RECORDING = "../recordings/churn-small.jsonl.gz";
    private static final String INVENTORY = "../recordings/churn-small.inventory.json";
    private static final String FAULTS = "../recordings/faults/exhausted.json";

    private InputStream before;

    @BeforeEach
    void remember() {
        before = System.in;
    }

    @AfterEach
    void restore() {
        System.setIn(before);
    }

    private static CommandLineRun run(String standardInput, String... args) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(standardInput))) {
            System.setIn(in);
            return LabRun.of(args);
        }
    }

    private static String[] replay() {
        return new String[] {"replay", RECORDING, "--inventory", INVENTORY, "--faults", FAULTS, "--report", "-"};
    }

    @ParameterizedTest
    @ValueSource(strings = {RECORDING, INVENTORY, FAULTS})
    @Rule(
            id = "I28",
            says = "Instead of a recording, an inventory, faults or a scenario, - reads standard input, with the same"
                    + " result; more than one - is a fault.",
            source = "ours")
    void a_replay_reads_each_of_its_files_from_standard_input(String file) throws IOException {
        String[] piped = Arrays.stream(replay())
                .map(argument -> argument.equals(file) ? "-" : argument)
                .toArray(String[]::new);

        assertThat(run(file, piped).out()).isEqualTo(LabRun.of(replay()).out()).contains("\"model\"");
    }

    @Test
    void standard_input_is_read_once() {
        CommandLineRun run = LabRun.of("replay", "-", "--inventory", "-");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .containsExactly("poolkeeper: -: is used more than once, but standard input can be read only once");
    }

    @Test
    void faults_in_standard_input_name_it() throws IOException {
        CommandLineRun run = run(INVENTORY, "replay", RECORDING, "--inventory", INVENTORY, "--faults", "-");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("poolkeeper: standard input: ");
    }

    @Test
    void a_scenario_can_be_read_from_standard_input() throws IOException {
        String scenario = "src/main/resources/dev/poolkeeper/lab/retries/scenarios/outage.yaml";

        CommandLineRun run = run(scenario, "simulate-retries", "--scenario", "-");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("standard input (seed ");
    }
}
