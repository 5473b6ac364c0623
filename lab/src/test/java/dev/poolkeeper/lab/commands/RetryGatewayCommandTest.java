package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.commands.CommandLineRun;
import java.io.BufferedReader;
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
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetryGatewayCommandTest {

    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream(), true);

    @TempDir
    private Path folder;

    @Test
    void the_command_prints_its_address_and_serves_until_interrupted() throws Exception {
        Path routes = Files.writeString(folder.resolve("routes.yaml"), """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: web}
            spec: {rules: [{backendRefs: [{name: web}]}]}
            """);
        PipedInputStream shown = new PipedInputStream();
        PrintStream out = new PrintStream(new PipedOutputStream(shown), true);
        String[] args = {
            "retry-gateway",
            "--routes",
            routes.toString(),
            "--backend",
            "web=127.0.0.1:1",
            "--listen",
            "127.0.0.1:0",
            "--admin",
            "127.0.0.1:0"
        };
        FutureTask<Integer> run = new FutureTask<>(() -> {
            try (out) { // so that a reader of it ends, too, if the command could not start
                return LabCommands.execute(args, out, NOWHERE);
            }
        });
        Thread command = Thread.ofVirtual().start(run);
        BufferedReader lines = new BufferedReader(new InputStreamReader(shown, StandardCharsets.UTF_8));
        String address = lines.readLine().replace("gateway:  ", "");

        int status;
        try (HttpClient client = HttpClient.newHttpClient()) {
            status = client.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.discarding())
                    .statusCode();
        }
        command.interrupt();

        assertThat(status).isEqualTo(502);
        assertThat(lines.readLine()).startsWith("metrics:  http://127.0.0.1:").endsWith("/metrics");
        assertThat(run.get()).isEqualTo(130);
    }

    @Test
    void every_bad_argument_is_reported_and_nothing_is_started() throws Exception {
        Path routes = Files.writeString(folder.resolve("routes.yaml"), "kind: HTTPRoute\n");
        CommandLineRun run = LabRun.of(
                "retry-gateway",
                "--routes",
                routes.toString(),
                "--backend",
                "web",
                "--backend",
                "a=127.0.0.1:1",
                "--backend",
                "a=127.0.0.1:2",
                "--listen",
                "8080",
                "--admin",
                "127.0.0.1:70000");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines())
                .containsExactly(
                        "poolkeeper: --backend: found \"web\", must be NAME=HOST:PORT or NAMESPACE/NAME=HOST:PORT, NAME"
                                + " being a Service's",
                        "poolkeeper: --backend: found \"a=127.0.0.1:2\", must name each Service once",
                        "poolkeeper: --listen: found \"8080\", must be a local HOST:PORT",
                        "poolkeeper: --admin: found \"127.0.0.1:70000\", must be a local HOST:PORT",
                        "poolkeeper: " + routes + ": apiVersion: is missing, must be a string",
                        "poolkeeper: " + routes + ": metadata.name: is missing, must be a string",
                        "poolkeeper: " + routes + ": spec: is missing, must be an object");
    }
}
