package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArmEmulatorCommandTest {

    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream(), true);

    @TempDir
    Path folder;

    @Test
    void the_command_prints_its_address_and_serves_until_interrupted() throws Exception {
        Path inventory = Files.writeString(folder.resolve("inventory.json"), """
            {"value": [{"name": "lb", "properties": {"backendAddressPools": [
                {"name": "p", "properties": {"loadBalancerBackendAddresses": []}}]},
              "id": "/subscriptions/S/resourceGroups/G/providers/Microsoft.Network/loadBalancers/lb"}]}\
            """);
        PipedInputStream shown = new PipedInputStream();
        PrintStream out = new PrintStream(new PipedOutputStream(shown), true);
        String[] args = {"arm-emulator", "--inventory", inventory.toString(), "--output", "json"};
        FutureTask<Integer> run = new FutureTask<>(() -> execute(args, out));
        Thread command = Thread.ofVirtual().start(run);
        JsonNode facts = new JsonMapper().readTree(firstLine(shown));
        Path caFile = Path.of(facts.path("caFile").asText());

        int status = get(
                caFile,
                facts.path("address").asText() + "/subscriptions/S/resourceGroups/G/providers"
                        + "/Microsoft.Network/loadBalancers/LB/backendAddressPools/P?api-version=2025-03-01");
        command.interrupt();

        assertThat(status).isEqualTo(200);
        assertThat(facts.path("subscription").asText()).isEqualTo("S");
        assertThat(facts.path("resourceGroup").asText()).isEqualTo("G");
        assertThat(run.get()).isEqualTo(130);
        assertThat(caFile).doesNotExist();
    }

    @Test
    void every_bad_argument_is_reported_and_nothing_is_written() throws Exception {
        Path caFile = folder.resolve("ca.pem");
        Path faults = Files.writeString(folder.resolve("faults.json"), "{\"rules\": [{\"drop\": \"often\"}]}");
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int exitCode = LabCommands.execute(
                new String[] {
                    "arm-emulator",
                    "--port",
                    "-1",
                    "--etag",
                    "both",
                    "--operation-millis",
                    "soon",
                    "--page-size",
                    "0",
                    "--concurrent-writes",
                    "never",
                    "--subscription",
                    "a/b",
                    "--output",
                    "xml",
                    "--inventory",
                    folder.resolve("none.json").toString(),
                    "--faults",
                    faults.toString(),
                    "--ca-file",
                    caFile.toString()
                },
                NOWHERE,
                new PrintStream(err, true));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .hasSize(9)
                .allMatch(line -> line.startsWith("poolkeeper: "))
                .contains("poolkeeper: --etag: found \"both\", must be one of load-balancer, pool");
        assertThat(caFile).doesNotExist();
    }

    @Test
    void the_ca_file_is_written_to_the_given_path_and_kept() throws Exception {
        Path caFile = folder.resolve("ca.pem");
        PipedInputStream shown = new PipedInputStream();
        PrintStream out = new PrintStream(new PipedOutputStream(shown), true);
        String[] args = {"arm-emulator", "--ca-file", caFile.toString()};
        FutureTask<Integer> run = new FutureTask<>(() -> execute(args, out));
        Thread command = Thread.ofVirtual().start(run);

        assertThat(firstLine(shown)).startsWith("address:        https://localhost:");
        command.interrupt();
        assertThat(run.get()).isEqualTo(130);
        assertThat(caFile).content().startsWith("-----BEGIN CERTIFICATE-----");
    }

    @Test
    void a_replay_in_memory_refuses_faults_that_need_https() throws Exception {
        Path faults = Files.writeString(folder.resolve("faults.json"), "{\"rules\": [{\"drop\": \"after\"}]}");
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int exitCode = LabCommands.execute(
                new String[] {"replay", "--via", "memory", "--faults", faults.toString()},
                NOWHERE,
                new PrintStream(err, true));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("apply only over HTTPS");
    }

    /** Closes the output at the end, so that a reader of it ends, too, if the command could not start. */
    private static int execute(String[] args, PrintStream out) {
        try (out) {
            return LabCommands.execute(args, out, NOWHERE);
        }
    }

    private static String firstLine(InputStream in) throws Exception {
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
    }

    private static int get(Path caFile, String url) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(caFile)) {
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        try (HttpClient client = HttpClient.newBuilder().sslContext(tls).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                    .header("Authorization", "Bearer any")
                    .build();
            return client.send(request, BodyHandlers.discarding()).statusCode();
        }
    }
}
