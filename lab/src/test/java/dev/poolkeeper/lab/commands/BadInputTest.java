package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid input ends with exit code 2 and one line per fault; nothing is started or written. */
class BadInputTest {

    private static final String EVENT =
            "{\"offsetMillis\":5,\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}}";

    @TempDir
    private Path folder;

    private Path recording;
    private Path inventory;
    private Path faults;
    private Path report;

    @BeforeEach
    void goodFiles() throws IOException {
        recording = Files.writeString(folder.resolve("recording.jsonl"), EVENT + "\n");
        inventory = Files.writeString(folder.resolve("inventory.json"), "{\"value\":[]}");
        faults = Files.writeString(folder.resolve("faults.json"), "{\"rules\":[]}");
        report = Files.writeString(folder.resolve("report.json"), "the report of yesterday");
    }

    private CommandLineRun replay(String... more) {
        return LabRun.of(Stream.concat(
                        Stream.of(
                                "replay",
                                recording.toString(),
                                "--inventory",
                                inventory.toString(),
                                "--faults",
                                faults.toString(),
                                "--report",
                                report.toString()),
                        Arrays.stream(more))
                .toArray(String[]::new));
    }

    private void assertRefused(CommandLineRun run, String... faultLines) throws IOException {
        assertThat(run.errLines()).containsExactly(faultLines);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(report).content().isEqualTo("the report of yesterday");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSizeLessThanOrEqualTo(4);
        }
    }

    @Test
    void valid_files_are_replayed() {
        assertThat(replay().exitCode()).isZero();
        assertThat(report).content().startsWith("{").endsWith("}\n");
    }

    static List<List<String>> recordings() {
        String expected = ", must be a watch event: {\"offsetMillis\": …, \"type\": …, \"object\": {…}}";
        return List.of(
                List.of("", ": contains no event, must contain one watch event per line"),
                List.of("\n", ": line 1: is empty" + expected),
                List.of(EVENT + "\n\n", ": line 2: is empty" + expected),
                List.of("[1]\n", ": line 1: found [1]" + expected),
                List.of(
                        "{}\n",
                        ": line 1: offsetMillis: is missing, must be a whole number of 0 or more",
                        ": line 1: type: is missing, must be a string",
                        ": line 1: object: is missing, must be the object of the event"),
                List.of(
                        EVENT.replace("5", "-5"),
                        ": line 1: offsetMillis: found -5, must be a whole number of 0 or more"),
                List.of(
                        EVENT.replace("5", "5.5"),
                        ": line 1: offsetMillis: found 5.5, must be a whole number of 0 or more"),
                List.of(
                        EVENT.replace("5", "\"5\""),
                        ": line 1: offsetMillis: found \"5\", must be a whole number of 0 or more"),
                List.of(
                        EVENT.replace("5", "99999999999999999999"),
                        ": line 1: offsetMillis: found 99999999999999999999, must be a whole number of 0 or more"),
                List.of(
                        EVENT + "\n" + EVENT.replace("5", "4"),
                        ": line 2: offsetMillis: found 4, must not be less than on the line before, 5"),
                List.of(
                        EVENT.replace("ADDED", "ERROR"),
                        ": line 1: type: found \"ERROR\", must be one of ADDED, MODIFIED, DELETED, BOOKMARK"),
                List.of(EVENT.replace("\"kind\":\"Node\",", ""), ": line 1: object.kind: is missing, must be a string"),
                List.of(EVENT.replace("\"n1\"", "7"), ": line 1: object.metadata.name: found 7, must be a string"),
                List.of(
                        EVENT.replace("\"n1\"", "\"a/b\""),
                        ": line 1: object.metadata.name: found \"a/b\", must not contain a slash"),
                List.of(
                        EVENT.replace("{\"name\":\"n1\"}", "[]"),
                        ": line 1: object.metadata: found [], must be an object",
                        ": line 1: object.metadata.name: is missing, must be a string"));
    }

    @ParameterizedTest
    @MethodSource("recordings")
    @Rule(
            id = "I1",
            says = "A recording with a line that is not a watch event, or without any events, stops the replay before"
                    + " it starts: file, line, fault; exit code 2.",
            source = "contract, Files")
    void an_invalid_recording_is_refused(List<String> textAndFaults) throws IOException {
        Files.writeString(recording, textAndFaults.get(0));

        assertRefused(
                replay(),
                textAndFaults.stream()
                        .skip(1)
                        .map(fault -> "poolkeeper: " + recording + fault)
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"not json", "{\"offsetMillis\":5,\"type\":\"ADD", "{\"a\":1}}", "\u0000\u0001\u0002", "ÿþ"})
    void a_truncated_or_binary_recording_is_refused(String text) throws IOException {
        Files.write(recording, (EVENT + "\n" + text).getBytes(StandardCharsets.ISO_8859_1));

        CommandLineRun run = replay();

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).startsWith("poolkeeper: " + recording + ": line 2"));
    }

    @Test
    void a_line_longer_than_16_mib_is_refused() throws IOException {
        byte[] spaces = new byte[1 << 20];
        Arrays.fill(spaces, (byte) ' ');
        try (OutputStream out = Files.newOutputStream(recording)) {
            out.write((EVENT + "\n").getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 17; i++) {
                out.write(spaces);
            }
            out.write((EVENT + "\n" + EVENT + "\n").getBytes(StandardCharsets.UTF_8));
        }

        assertRefused(replay(), "poolkeeper: " + recording + ": line 2: is longer than 16777216 bytes");
    }

    @Test
    void fields_of_the_wrong_type_are_refused() throws IOException {
        Files.writeString(recording, """
            {"offsetMillis":0,"type":"ADDED","object":{"kind":"Service","metadata":{"name":"web"},"spec":{"type":1,"ipFamilies":"IPv4"}}}
            {"offsetMillis":0,"type":"ADDED","object":{"kind":"EndpointSlice","metadata":{"name":"s"},"addressType":"IPv5","endpoints":[7]}}
            {"offsetMillis":0,"type":"ADDED","object":{"kind":"EndpointSlice","metadata":{"name":"s"},"endpoints":null}}
            {"offsetMillis":0,"type":"ADDED","object":{"kind":"Node","metadata":{"name":"n"},"status":{"addresses":[{"type":"InternalIP","address":{}}]}}}
            """);

        assertRefused(
                replay(),
                "poolkeeper: " + recording + ": line 1: object.spec.type: found 1, must be a string",
                "poolkeeper: " + recording + ": line 1: object.spec.ipFamilies: found \"IPv4\", must be an array",
                "poolkeeper: " + recording
                        + ": line 2: object.addressType: found \"IPv5\", must be one of IPv4, IPv6, FQDN",
                "poolkeeper: " + recording + ": line 2: object.endpoints[0]: found 7, must be an object",
                "poolkeeper: " + recording + ": line 3: object.addressType: is missing, must be a string",
                "poolkeeper: " + recording
                        + ": line 4: object.status.addresses[0].address: found {}, must be a string");
    }

    static List<List<String>> inventories() {
        return List.of(
                List.of("", ": is empty, must be an object"),
                List.of("[]", ": found [], must be an object"),
                List.of("{}", ": value: is missing, must be the array of load balancers that ARM's LIST returns"),
                List.of("{\"value\":{}}", ": value: found {}, must be an array"),
                List.of("{\"value\":[{}]}", ": value[0].name: is missing, must be a string"),
                List.of(
                        "{\"value\":[{\"name\":\"a\",\"properties\":{\"backendAddressPools\":[]}},{\"name\":\"A\",\"properties\":{\"backendAddressPools\":[]}}]}",
                        ": value[1].name: found \"A\", which another load balancer also has"),
                List.of(
                        "{\"value\":[],\"nextLink\":\"https://next\"}",
                        ": nextLink: found \"https://next\", must be absent: the list must be complete"),
                List.of(
                        "{\"value\":[{\"name\":\"a\",\"properties\":{\"backendAddressPools\":[{\"name\":\"p\",\"properties\":{\"loadBalancerBackendAddresses\":[]}},{\"name\":\"P\",\"properties\":{\"loadBalancerBackendAddresses\":[]}}]}}]}",
                        ": value[0].properties.backendAddressPools[1].name: found \"P\", which another pool of its"
                                + " load balancer also has"),
                List.of(
                        "{\"value\":[{\"name\":\"a\",\"properties\":{\"backendAddressPools\":[{\"name\":\"p\",\"properties\":{\"loadBalancerBackendAddresses\":[{\"properties\":{\"ipAddress\":\"10.0.0\"}}]}}]}}]}",
                        ": value[0].properties.backendAddressPools[0].properties.loadBalancerBackendAddresses[0].properties.ipAddress:"
                            + " found \"10.0.0\", must be an IPv4 or IPv6 address"));
    }

    @ParameterizedTest
    @MethodSource("inventories")
    void an_invalid_inventory_is_refused(List<String> textAndFaults) throws IOException {
        Files.writeString(inventory, textAndFaults.get(0));

        assertRefused(
                replay(),
                textAndFaults.stream()
                        .skip(1)
                        .map(fault -> "poolkeeper: " + inventory + fault)
                        .toArray(String[]::new));
    }

    static List<List<String>> faultsFiles() {
        return List.of(
                List.of("{\"rule\":[]}", ": rule: unknown key, must be one of rules, lease"),
                List.of("{\"rules\":[{}]}", ": rules[0].status: is missing, must be a whole number from 400 to 599"),
                List.of(
                        "{\"rules\":[{\"status\":399}]}",
                        ": rules[0].status: found 399, must be a whole number from 400 to 599"),
                List.of(
                        "{\"rules\":[{\"status\":600}]}",
                        ": rules[0].status: found 600, must be a whole number from 400 to 599"),
                List.of(
                        "{\"rules\":[{\"status\":409,\"times\":0}]}",
                        ": rules[0].times: found 0, must be a whole number of 1 or more"),
                List.of(
                        "{\"rules\":[{\"status\":409,\"skip\":-1}]}",
                        ": rules[0].skip: found -1, must be a whole number of 0 or more"),
                List.of(
                        "{\"rules\":[{\"status\":409,\"fromMillis\":1.5}]}",
                        ": rules[0].fromMillis: found 1.5, must be a whole number of 0 or more"),
                List.of(
                        "{\"rules\":[{\"status\":409,\"method\":\"PATCH\"}]}",
                        ": rules[0].method: found \"PATCH\", must be one of PUT, GET, *"),
                List.of(
                        "{\"rules\":[{\"status\":409,\"fromMillis\":10,\"untilMillis\":5}]}",
                        ": rules[0].untilMillis: found 5, must be greater than fromMillis, which is 10"),
                List.of(
                        "{\"rules\":[{\"status\":409,\"untilMillis\":0}]}",
                        ": rules[0].untilMillis: found 0, must be greater than fromMillis, which is 0"),
                List.of(
                        "{\"lease\":[{\"fromMillis\":7,\"untilMillis\":7}]}",
                        ": lease[0].untilMillis: found 7, must be greater than fromMillis, which is 7"),
                List.of("{\"rules\":[{\"status\":409,\"pool\":1}]}", ": rules[0].pool: found 1, must be a string"),
                List.of(
                        "{\"lease\":[{\"fromMillis\":1}]}",
                        ": lease[0].untilMillis: is missing, must be a whole number of 0 or more"));
    }

    @ParameterizedTest
    @MethodSource("faultsFiles")
    @Rule(
            id = "I2",
            says = "A faults file with an unknown key, a number out of bounds, or an interval that ends before it"
                    + " begins is refused.",
            source = "contract, Files")
    void an_invalid_faults_file_is_refused(List<String> textAndFaults) throws IOException {
        Files.writeString(faults, textAndFaults.get(0));

        assertRefused(
                replay(),
                textAndFaults.stream()
                        .skip(1)
                        .map(fault -> "poolkeeper: " + faults + fault)
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--interval|0|seconds, greater than 0, in whole milliseconds",
                "--interval|-1|seconds, greater than 0, in whole milliseconds",
                "--interval|0.0005|seconds, greater than 0, in whole milliseconds",
                "--interval|1e400|seconds, greater than 0, in whole milliseconds",
                "--interval|soon|seconds, greater than 0, in whole milliseconds",
                "--max-retries|1.5|a whole number",
                "--max-retries|99999999999|a whole number",
                "--model|both|one of diff, desired-state",
                "--speed|0|max or a number greater than 0",
                "--speed|fast|max or a number greater than 0",
                "--output|xml|one of text, json",
            })
    void an_invalid_option_is_refused(String option, String value, String allowed) throws IOException {
        assertRefused(
                replay(option, value), "poolkeeper: %s: found \"%s\", must be %s".formatted(option, value, allowed));
    }

    @Test
    @Rule(
            id = "I3",
            says = "All faults of all arguments are reported at once, one line each.",
            source = "contract, The command line")
    void all_faults_are_reported_at_once() throws IOException {
        Files.writeString(inventory, "{}");
        Files.writeString(faults, "{\"rules\":[{\"status\":1}]}");

        assertRefused(
                replay(
                        "--interval",
                        "x",
                        "--model",
                        "y",
                        folder.resolve("no-such-file").toString()),
                "poolkeeper: --model: found \"y\", must be one of diff, desired-state",
                "poolkeeper: --interval: found \"x\", must be seconds, greater than 0, in whole milliseconds",
                "poolkeeper: " + folder.resolve("no-such-file") + ": there is no such file",
                "poolkeeper: " + inventory
                        + ": value: is missing, must be the array of load balancers that ARM's LIST returns",
                "poolkeeper: " + faults + ": rules[0].status: found 1, must be a whole number from 400 to 599");
    }

    @Test
    void directories_and_missing_files_are_refused() throws IOException {
        assertRefused(
                LabRun.of(
                        "replay",
                        folder.toString(),
                        "--inventory",
                        folder.resolve("nowhere").toString()),
                "poolkeeper: " + folder + ": is a directory, must be a file",
                "poolkeeper: " + folder.resolve("nowhere") + ": there is no such file");
        assertRefused(
                LabRun.of("replay", recording.toString()),
                "poolkeeper: --inventory: is missing, but required with your own recording");
    }

    @Test
    void an_unwritable_report_path_is_refused_before_the_start() throws IOException {
        Path nowhere = folder.resolve("no/such/report.json");

        assertRefused(
                LabRun.of(
                        "replay",
                        recording.toString(),
                        "--inventory",
                        inventory.toString(),
                        "--report",
                        folder.toString()),
                "poolkeeper: --report: found \"" + folder + "\", must be a file, but is a directory");
        assertRefused(
                LabRun.of(
                        "replay",
                        recording.toString(),
                        "--inventory",
                        inventory.toString(),
                        "--report",
                        nowhere.toString()),
                "poolkeeper: --report: found \"" + nowhere + "\", must be in an existing folder; there is no "
                        + nowhere.getParent());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--no-such-option",
                "no-such-command",
                "no-such-command --help",
                "--help no-such-command",
                "replay --no-such-option --help",
                "replay --report",
                "check-config",
                "''"
            })
    @Rule(
            id = "I27",
            says = "An unknown command or option is one line and exit code 2, even next to --help.",
            source = "contract, The command line")
    void an_unknown_word_is_reported_in_one_line(String line) {
        CommandLineRun run = LabRun.of(line.isEmpty() ? new String[0] : line.split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).singleElement().asString().startsWith("poolkeeper: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version", "replay --help", "check-config --help", "replay --version"})
    void every_command_has_help_and_version(String line) {
        CommandLineRun run = LabRun.of(line.split(" "));

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isNotBlank();
        assertThat(run.err()).isEmpty();
    }
}
