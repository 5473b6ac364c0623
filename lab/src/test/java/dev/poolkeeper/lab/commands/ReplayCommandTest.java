package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Guice;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.lab.replay.ReplayResult;
import dev.poolkeeper.lab.replay.ReplaySession;
import dev.poolkeeper.lab.wiring.ReplayModule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The recordings of this repository through the command line. */
class ReplayCommandTest {

    private static final Path RECORDINGS = Path.of("..", "recordings");

    @TempDir
    private Path folder;

    @Test
    void without_arguments_the_bundled_run_shows_each_outcome_and_converges() {
        CommandLineRun run = LabRun.of("replay");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("updated ", "retrying", "FAILED ", "Retrying not before +75 s.", "Pools    4 of 4 converged")
                .containsPattern("ARM saw  \\d+ requests over TLS: (\\d+) writes, \\1 of them with If-Match");
        assertThat(run.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "churn-small, exhausted, desired-state, 5",
        "churn-small, a-bad-minute, diff, 1",
        "churn-large, exhausted, diff, 5",
        "churn-large, exhausted, desired-state, 0.5",
        "comings-and-goings, exhausted, desired-state, 5",
        "comings-and-goings, a-bad-minute, diff, 5",
    })
    void a_recording_replayed_twice_gives_the_same_bytes(String name, String faults, String model, String interval)
            throws IOException {
        Path first = folder.resolve("first.json");
        Path second = folder.resolve("second.json");

        int exitCode = replay(name, faults, model, interval, first);

        assertThat(replay(name, faults, model, interval, second))
                .isEqualTo(exitCode)
                .isNotEqualTo(2);
        assertThat(second).hasSameBinaryContentAs(first);
        assertThat(new ObjectMapper().readTree(first.toFile()).get("calls")).isNotEmpty();
    }

    @Test
    @Rule(
            id = "I5",
            says = "A recording may be compressed with gzip, whatever its name: it gives the same report as the plain"
                    + " one. A truncated or damaged one is one fault, exit code 2.",
            source = "contract, Files")
    void a_recording_gives_the_same_report_plain_and_gzip() throws IOException {
        Path gzip = RECORDINGS.resolve("churn-small.jsonl.gz");
        Path plain = folder.resolve("plain.jsonl");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(gzip))) {
            Files.copy(in, plain);
        }
        Path ofGzip = folder.resolve("of-gzip.json");
        Path ofPlain = folder.resolve("of-plain.json");

        int exitCode = replay(gzip, "churn-small", "exhausted", "desired-state", "5", ofGzip);

        assertThat(replay(plain, "churn-small", "exhausted", "desired-state", "5", ofPlain))
                .isEqualTo(exitCode)
                .isNotEqualTo(2);
        assertThat(ofPlain).hasSameBinaryContentAs(ofGzip);
    }

    @Test
    @Rule(
            id = "I5",
            says = "A recording may be compressed with gzip, whatever its name: it gives the same report as the plain"
                    + " one. A truncated or damaged one is one fault, exit code 2.",
            source = "contract, Files")
    void a_gzip_recording_that_is_cut_off_is_refused() throws IOException {
        byte[] whole = Files.readAllBytes(RECORDINGS.resolve("churn-small.jsonl.gz"));
        Path cut = Files.write(folder.resolve("cut.jsonl.gz"), Arrays.copyOf(whole, whole.length / 2));

        CommandLineRun run = LabRun.of(
                "replay",
                cut.toString(),
                "--inventory",
                RECORDINGS.resolve("churn-small.inventory.json").toString());

        assertThat(run.errLines()).containsExactly("poolkeeper: " + cut + ": is a truncated gzip file");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"churn-small", "churn-large", "comings-and-goings"})
    void without_faults_each_recording_converges(String name) {
        for (String model : new String[] {"diff", "desired-state"}) {
            CommandLineRun run = LabRun.of(
                    "replay",
                    RECORDINGS.resolve(name + ".jsonl.gz").toString(),
                    "--inventory",
                    RECORDINGS.resolve(name + ".inventory.json").toString(),
                    "--model",
                    model);
            assertThat(run.exitCode()).as(run.out()).isZero();
            assertThat(run.out()).doesNotContain("Apart");
        }
    }

    private static int replay(String name, String faults, String model, String interval, Path report) {
        return replay(RECORDINGS.resolve(name + ".jsonl.gz"), name, faults, model, interval, report);
    }

    private static int replay(Path recording, String name, String faults, String model, String interval, Path report) {
        return LabRun.of(
                        "replay",
                        recording.toString(),
                        "--inventory",
                        RECORDINGS.resolve(name + ".inventory.json").toString(),
                        "--faults",
                        RECORDINGS.resolve("faults").resolve(faults + ".json").toString(),
                        "--model",
                        model,
                        "--interval",
                        interval,
                        "--report",
                        report.toString())
                .exitCode();
    }

    @Test
    void through_the_real_sdk_the_report_has_the_same_pools_as_in_memory() throws IOException {
        Path memory = folder.resolve("memory.json");
        Path https = folder.resolve("https.json");
        LabRun.of("replay", "--via", "memory", "--report", memory.toString());

        CommandLineRun run = LabRun.of("replay", "--via", "https", "--report", https.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(new ObjectMapper().readTree(https.toFile()).get("pools"))
                .isEqualTo(new ObjectMapper().readTree(memory.toFile()).get("pools"));
    }

    @Test
    void several_recordings_are_replayed_together() throws IOException {
        Path both = folder.resolve("both.json");
        CommandLineRun run = LabRun.of(
                "replay",
                RECORDINGS.resolve("churn-small.jsonl.gz").toString(),
                RECORDINGS.resolve("churn-small.jsonl.gz").toString(),
                "--inventory",
                RECORDINGS.resolve("churn-small.inventory.json").toString(),
                "--report",
                both.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(new ObjectMapper().readTree(both.toFile()).get("pools")).isNotEmpty();
    }

    @Test
    void a_report_on_standard_output_is_the_only_output() throws IOException {
        CommandLineRun run = LabRun.of("replay", "--via", "memory", "--report", "-");

        assertThat(new ObjectMapper().readTree(run.out()).get("model").asText()).isEqualTo("desired-state");
        assertThat(run.err()).contains("Pools    4 of 4 converged");
        assertThat(LabRun.of("replay", "--via", "memory", "--output", "json").out())
                .isEqualTo(run.out());
    }

    @Test
    void a_report_replaces_the_previous_one() throws IOException {
        Path report = Files.writeString(folder.resolve("report.json"), "yesterday's");

        LabRun.of("replay", "--via", "memory", "--report", report.toString());

        assertThat(report).content().contains("\"model\"");
        assertThat(folder).isDirectoryNotContaining(file -> !file.equals(report));
    }

    @ParameterizedTest
    @CsvSource({"2000, 75", "1000, 150", "max, 0"})
    void recorded_speed_waits_between_events(String speed, long millis) throws Exception {
        // given: the bundled recording, whose last tick is at 150 s
        FakeTime time = new FakeTime();
        Instant start = time.instant();
        ReplayArguments arguments =
                CommandLine.populateCommand(new ReplayArguments(), "--via", "memory", "--speed", speed);
        // when
        ReplayResult result = Guice.createInjector(new ReplayModule(arguments.check(time), event -> {}))
                .getInstance(ReplaySession.class)
                .run(played -> {});
        // then
        assertThat(result.isExplained()).isTrue();
        assertThat(Duration.between(start, time.instant())).isEqualTo(Duration.ofMillis(millis));
    }
}
