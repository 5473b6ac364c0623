package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.lab.commands.LabRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays whose calls take time. */
class ReplayPaceTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private JsonNode replay(String recording, String times, String options) throws IOException {
        Path report = folder.resolve("report.json");
        List<String> line = new ArrayList<>(List.of(
                "replay",
                "../recordings/" + recording + ".jsonl.gz",
                "--inventory",
                "../recordings/" + recording + ".inventory.json",
                "--arm-times",
                times,
                "--report",
                report.toString()));
        if (!options.isEmpty()) {
            line.addAll(List.of(options.split(" ")));
        }
        CommandLineRun run = LabRun.of(line.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return JSON.readTree(Files.newInputStream(report));
    }

    /** The expected figures come from a model of the rules that shares no code with this project. */
    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "churn-large, 3s, --one-lane, 239, 80421, 109106, 112179, 112641, 2255555, 19625058, 1341288, 33, 33",
        "churn-large, 3s, '', 259, 34644, 41354, 44749, 45319, 1095815, 8867589, 861699, 40, 40",
        "churn-large, 3s, --pace eager, 299, 7993, 16473, 27172, 27366, 303684, 2640530, 292489, 60, 58",
        "churn-large, 8s, --one-lane, 233, 183257, 263674, 267179, 267641, 4725555, 43453503, 2629053, 32, 32",
        "churn-large, 8s, '', 249, 56110, 79320, 81799, 82261, 1670815, 14412295, 1120805, 34, 34",
        "churn-large, 8s, --pace eager, 287, 32182, 53285, 63815, 72366, 956444, 9117420, 1424001, 49, 47",
        "comings-and-goings, 3s, --one-lane, 22, 31443, 37896, 40429, 40429, 202091, 896760, 256149, 7, 7",
        "comings-and-goings, 3s, '', 22, 31047, 34836, 37369, 37369, 192911, 866160, 253089, 7, 7",
        "comings-and-goings, 3s, --pace eager, 44, 6286, 12228, 15114, 15114, 49448, 243221, 112950, 17, 16",
        "churn-small, 3s, '', 6, 34088, 37984, 37984, 37984, 131339, 314329, 68586, 4, 4",
        "churn-small, 3s, --pace eager, 20, 5665, 11100, 12133, 12133, 23234, 91041, 47628, 9, 9"
    })
    @Rule(
            id = "J11",
            says = "For the bundled recordings, replays whose calls take time give the same freshness as an"
                    + " independent model of the rules.",
            source = "contract, Pace and freshness")
    void the_bundled_recordings(
            String recording,
            String write,
            String options,
            long changes,
            long p50,
            long p90,
            long p99,
            long max,
            long outage,
            long missing,
            long stale,
            long reads,
            long writes)
            throws IOException {
        JsonNode freshness =
                replay(recording, "read=60ms,write=" + write, options).get("freshness");

        assertThat(freshness)
                .hasToString(JSON.createObjectNode()
                        .put("changes", changes)
                        .put("p50Millis", p50)
                        .put("p90Millis", p90)
                        .put("p99Millis", p99)
                        .put("maxMillis", max)
                        .put("outageMillis", outage)
                        .put("missingAddressMillis", missing)
                        .put("staleAddressMillis", stale)
                        .put("reads", reads)
                        .put("writes", writes)
                        .toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"churn-large", "churn-small", "comings-and-goings"})
    @Rule(
            id = "J12",
            says = "Without faults each pool ends in the same state as with ticks, whatever the pace, the lanes and"
                    + " the duration of calls.",
            source = "contract, Pace and freshness")
    void every_pace_reaches_the_same_result(String recording) throws IOException {
        JsonNode ticks = replay(recording, "read=0ms,write=0ms", "").get("pools");

        assertThat(ticks).isNotEmpty();
        assertThat(replay(recording, "read=1s,write=20s,jitter=50,seed=3", "--pace eager")
                        .get("pools"))
                .isEqualTo(ticks);
        assertThat(replay(recording, "read=60ms,write=8s", "--pace eager --one-lane")
                        .get("pools"))
                .isEqualTo(ticks);
        assertThat(replay(recording, "read=60ms,write=8s", "").get("pools")).isEqualTo(ticks);
    }

    @Test
    @Rule(
            id = "J13",
            says = "Durations vary by the given jitter, and a seed reproduces them.",
            source = "contract, Pace and freshness")
    void jitter_is_repeatable() throws IOException {
        String times = "read=60ms,write=3s,jitter=30,seed=";

        JsonNode first = replay("churn-small", times + 1, "--pace eager");
        assertThat(replay("churn-small", times + 1, "--pace eager")).isEqualTo(first);
        assertThat(replay("churn-small", times + 2, "--pace eager").get("freshness"))
                .isNotEqualTo(first.get("freshness"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--pace quick | poolkeeper: --pace: found \"quick\", must be tick or eager",
                "--pace eager --model diff | poolkeeper: --pace: found \"eager\", must be tick with the model diff",
                "--arm-times read=1s --via memory | poolkeeper: --arm-times: found \"read=1s\", must be"
                    + " read=DURATION,write=DURATION and, optionally, jitter=PERCENT (0 to 100) and seed=NUMBER, such"
                    + " as read=60ms,write=8s,jitter=10,seed=3",
                "--arm-times read=1s,write=1s --via https | poolkeeper: --arm-times: found \"read=1s,write=1s\", must"
                        + " be omitted with --via https, where calls take real time"
            })
    void invalid_options_are_refused(String options, String fault) {
        CommandLineRun run = LabRun.of(("replay " + options).split(" "));

        assertThat(run.errLines()).containsExactly(fault);
        assertThat(run.exitCode()).isEqualTo(2);
    }
}
