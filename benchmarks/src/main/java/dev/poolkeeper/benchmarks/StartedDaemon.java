package dev.poolkeeper.benchmarks;

import dev.poolkeeper.app.Main;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A daemon in a JVM of its own.
 *
 * @param process the JVM
 * @param readySeconds the time from the start of the JVM until it was ready
 */
record StartedDaemon(Process process, double readySeconds) implements AutoCloseable {

    static final int PORT = 18095;

    private static final long PATIENCE_SECONDS = 300;

    /**
     * Starts a daemon and waits until it is ready. Its output goes to {@code daemon.log} next to its configuration.
     *
     * @param java the command that starts a JVM, with its options and class path
     */
    static StartedDaemon start(List<String> java, Path configuration) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of(Main.class.getName(), "run", "--config", configuration.toString()));
        long started = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(configuration.resolveSibling("daemon.log").toFile())
                .start();
        try {
            while (!isReady()) {
                Peer.require(process.isAlive(), "a running daemon, see daemon.log", "an ended one");
                Peer.require(
                        System.nanoTime() - started < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS),
                        "readiness",
                        "none in time");
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (InterruptedException | RuntimeException e) {
            process.destroy();
            throw e;
        }
        return new StartedDaemon(process, (System.nanoTime() - started) / 1e9);
    }

    private static boolean isReady() {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI page = URI.create("http://127.0.0.1:" + PORT + "/readyz");
            return client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** @param field {@code VmRSS}, the resident memory, or {@code VmHWM}, its peak */
    String memory(String field) throws IOException {
        Optional<String> line = Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(one -> one.startsWith(field + ":"))
                .findFirst();
        return line.map(one -> "%,d MB".formatted(Long.parseLong(one.replaceAll("\\D", "")) / 1024))
                .orElse("unknown");
    }

    /** Stops it as Kubernetes does, and waits for its end. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
