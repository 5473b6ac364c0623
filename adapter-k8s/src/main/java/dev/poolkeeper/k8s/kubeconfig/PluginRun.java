package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.ports.Time;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * One run of a program without a terminal.
 *
 * @param command the program and its arguments
 * @param variables its whole environment
 */
record PluginRun(List<String> command, Map<String, String> variables, Time time) {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MOST = 1 << 20;

    /**
     * What it printed.
     *
     * @throws PluginException if it cannot be started, fails, or does not end; with its own words from standard error
     */
    String output() throws PluginException {
        Process process = start();
        try {
            CompletableFuture<String> out = reading(process.getInputStream());
            CompletableFuture<String> err = reading(process.getErrorStream());
            CompletableFuture<Process> end = process.onExit();
            time.await(CompletableFuture.allOf(end, out, err), LIMIT);
            if (process.exitValue() != 0) {
                String words = err.get().strip();
                throw new PluginException(
                        "exit code %s%s".formatted(process.exitValue(), words.isEmpty() ? "" : ": " + words));
            }
            return out.get();
        } catch (TimeoutException e) {
            throw new PluginException("did not end within " + LIMIT.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw new PluginException("its output cannot be read");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PluginException("interrupted");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Process start() throws PluginException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(variables);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return process;
        } catch (IOException e) {
            throw new PluginException("cannot be started: " + e.getMessage());
        }
    }

    private static CompletableFuture<String> reading(InputStream stream) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try (stream) {
                text.complete(new String(stream.readNBytes(MOST), StandardCharsets.UTF_8));
            } catch (IOException e) {
                text.completeExceptionally(e);
            }
        });
        return text;
    }
}
