package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputFileTest {

    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path folder;

    private Path recording;
    private Path inventory;
    private Path faults;

    @BeforeEach
    void inputs() throws IOException {
        recording = Files.writeString(
                folder.resolve("recording.jsonl"),
                "{\"offsetMillis\":5,\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}}\n");
        inventory = Files.writeString(folder.resolve("inventory.json"), "{\"value\":[]}");
        faults = Files.writeString(folder.resolve("faults.json"), "{\"rules\":[]}");
    }

    private CommandLineRun replay(String report) {
        return LabRun.of(
                "replay",
                recording.toString(),
                "--inventory",
                inventory.toString(),
                "--faults",
                faults.toString(),
                "--report",
                report);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"recording.jsonl", "inventory.json", "faults.json", "./faults.json", "link"})
    @Rule(
            id = "I22",
            says = "An output never overwrites an input, not even through a link: that is a fault.",
            source = "ours")
    void an_input_is_refused_as_output(String name) throws IOException {
        Files.createSymbolicLink(folder.resolve("link"), Path.of("inventory.json"));
        String report = folder + "/" + name;

        CommandLineRun run = replay(report);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("poolkeeper: --report: found \"" + report + "\", must not be the input file ");
        assertThat(inventory).content().isEqualTo("{\"value\":[]}");
    }

    @Test
    void a_page_does_not_overwrite_the_scenario() throws IOException {
        Path scenario = Files.writeString(folder.resolve("mine.yaml"), "duration: 1s");

        CommandLineRun run =
                LabRun.of("simulate-retries", "--scenario", scenario.toString(), "--html", scenario.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--html", "must not be the input file");
        assertThat(scenario).content().isEqualTo("duration: 1s");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule(
            id = "I23",
            says = "A report is either complete or unchanged; the target of a link is replaced, and the link stays.",
            source = "ours")
    void the_target_of_a_link_is_replaced(boolean targetExists) throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path target = elsewhere.resolve("report.json");
        if (targetExists) {
            Files.writeString(target, "yesterday's");
        }
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("elsewhere", "report.json"));

        assertThat(replay(link.toString()).exitCode()).isZero();

        assertThat(link).isSymbolicLink();
        assertThat(target).isRegularFile().content().startsWith("{");
        assertThat(names()).containsExactly("elsewhere", "faults.json", "inventory.json", "link", "recording.jsonl");
    }

    @Test
    void permissions_of_the_existing_file_are_kept() throws IOException {
        Path report = Files.writeString(folder.resolve("report.json"), "yesterday's");
        Files.setPosixFilePermissions(report, PosixFilePermissions.fromString("rw-r-----"));

        assertThat(replay(report.toString()).exitCode()).isZero();

        assertThat(report).content().startsWith("{");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(report)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void a_write_that_fails_leaves_the_file_as_it_was() throws Exception {
        Path report = Files.writeString(folder.resolve("report.json"), "yesterday's");
        OutputFile file = OutputFile.of("--report", report.toString(), List.of());

        assertThatThrownBy(() -> file.write(out -> {
                    out.write("half of it");
                    throw new IOException("No space left on device");
                }))
                .hasMessage(report + ": cannot be written: No space left on device");
        assertThat(report).content().isEqualTo("yesterday's");
        assertThat(names()).contains("report.json").hasSize(4);
    }

    @Test
    @Rule(
            id = "I24",
            says = "Output that cannot be written, as on a full disk, ends with exit code 1 and one line that names"
                    + " it.",
            source = "contract, The command line")
    void a_full_disk_is_reported_in_one_line() {
        assumeThat(FULL).exists();

        CommandLineRun run = replay(FULL.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).containsExactly("poolkeeper: /dev/full: cannot be written: No space left on device");
    }

    @Test
    void a_pipe_or_device_is_written_directly() {
        assumeThat(Path.of("/dev/null")).exists();

        assertThat(replay("/dev/null").exitCode()).isZero();
        assertThat(Path.of("/dev/null")).isReadable();
        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "replay --help", "simulate-retries", "replay RECORDING --inventory INVENTORY"})
    void a_full_disk_behind_standard_output_is_reported_in_one_line(String line) {
        String[] args = Arrays.stream(line.split(" "))
                .map(word -> word.replace("RECORDING", recording.toString()).replace("INVENTORY", inventory.toString()))
                .toArray(String[]::new);

        CommandLineRun run = CommandLineRun.of(
                (words, out, err) -> LabCommands.execute(words, new PrintStream(new Full(), true), err), args);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly(
                        "poolkeeper: standard output: cannot be written, the disk is full or its reader is gone");
    }

    private static final class Full extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("No space left on device");
        }
    }
}
