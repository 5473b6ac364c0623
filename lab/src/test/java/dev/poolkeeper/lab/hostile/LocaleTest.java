package dev.poolkeeper.lab.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.admin.HostNames;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.app.status.Statuses;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.lab.commands.LabRun;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines whose locale has other digits or letters print the same. */
class LocaleTest {

    @TempDir
    private Path folder;

    private static <T> T under(String locale, Callable<T> output) throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(locale));
        try {
            return output.call();
        } finally {
            Locale.setDefault(before);
        }
    }

    private List<String> outputs() throws Exception {
        Path report = folder.resolve("report.json");
        Path bad = Files.writeString(
                folder.resolve("bad.yaml"),
                "retry: {attempts: -12}\nloadBalancerBackendPoolUpdateMaxRetries: 12345678\nadmin: {port: 70000}\n");
        CommandLineRun replay = LabRun.of("replay", "--via", "memory", "--report", report.toString());
        CommandLineRun held = LabRun.of(
                "replay",
                "--via",
                "memory",
                "--config",
                Files.writeString(folder.resolve("brake.yaml"), "safetyBrake: {percent: 0, minAddresses: 0}\n")
                        .toString());
        CommandLineRun retries = LabRun.of("simulate-retries", "--seed", "7");
        CommandLineRun faults = LabRun.of("check-config", bad.toString());
        return List.of(
                replay.out(),
                replay.err(),
                Files.readString(report),
                held.out(),
                retries.out(),
                faults.err(),
                page("text"),
                page("json"),
                page("html"));
    }

    private static String page(String format) throws IOException, InterruptedException {
        try (AdminServer server = AdminServer.start(
                        InetAddress.getLoopbackAddress(),
                        0,
                        HostNames.USUAL,
                        new AdminServer.Content(
                                List::of,
                                List::of,
                                MetricSnapshots::of,
                                () -> Statuses.with(List.of(Statuses.held(), Statuses.inStep(1))),
                                (service, pool, node) -> Optional.of(Statuses.NODE)));
                HttpClient client = HttpClient.newHttpClient()) {
            URI uri =
                    URI.create("http://127.0.0.1:" + server.address().getPort() + "/statusz?node=n1&format=" + format);
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ar", "ar-EG", "fa", "th-TH-u-nu-thai", "tr", "de"})
    @Rule(
            id = "X24",
            says = "Reports, Events, status, ids and faults are the same under every locale of the machine.",
            source = "ours")
    void outputs_do_not_depend_on_the_locale(String locale) throws Exception {
        List<String> expected = under("und", this::outputs);

        assertThat(under(locale, this::outputs)).isEqualTo(expected);
        assertThat(String.join("", expected)).doesNotContainPattern("[\u0660-\u0669\u06f0-\u06f9\u0e50-\u0e59]");
    }
}
