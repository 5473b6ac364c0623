package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.app.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A daemon as a separate process, which can be paused and killed. */
public final class DaemonProcess implements AutoCloseable {

    private static final Pattern PAGE = Pattern.compile("http://(\\S+)/statusz");

    final String name;
    private final Process process;
    private final Path out;
    private final Path err;

    private DaemonProcess(String name, Process process, Path out, Path err) {
        this.name = name;
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts {@code run} with these arguments; its output goes to files in this folder. */
    static DaemonProcess start(Path folder, String name, String... arguments) throws IOException {
        return start(Main.class, Map.of(), folder, name, arguments);
    }

    /**
     * Starts {@code run} of a program with that command.
     *
     * @param environment additional variables
     */
    public static DaemonProcess start(
            Class<?> program, Map<String, String> environment, Path folder, String name, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                program.getName(),
                "run"));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, name, ".out");
        Path err = Files.createTempFile(folder, name, ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        return new DaemonProcess(name, builder.start(), out, err);
    }

    public String out() {
        return read(out);
    }

    /** What it logged. */
    public String log() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its pages, once it has logged their address. */
    public StatusPages pages() {
        Await.until(
                name + " tells its address",
                this::log,
                () -> PAGE.matcher(out()).find());
        Matcher page = PAGE.matcher(out());
        assertThat(page.find()).isTrue();
        return new StatusPages(page.group(1));
    }

    JsonNode status() throws IOException, InterruptedException {
        return pages().status();
    }

    /** Its identity in Leases. */
    String identity() throws IOException, InterruptedException {
        return status().path("program").path("identity").asText();
    }

    public void awaitReady() {
        StatusPages pages = pages();
        Await.until(name + " is ready", this::log, pages::isReady);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** {@code STOP}: none of its threads run until {@code CONT}. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** {@code KILL}: no cleanup is possible. */
    public void kill() throws IOException, InterruptedException {
        signal("KILL");
        process.waitFor();
    }

    /** {@code TERM}: requests a shutdown. */
    public void terminate() throws IOException, InterruptedException {
        signal("TERM");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Waits for its end. */
    public int exitCode() throws InterruptedException {
        assertThat(process.waitFor(Await.LONG.toSeconds(), TimeUnit.SECONDS))
                .as("%s ended\n%s", name, log())
                .isTrue();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public String toString() {
        return name;
    }
}
