package dev.poolkeeper.simulation;

import dev.poolkeeper.app.logging.Logging;
import dev.poolkeeper.simulation.RunJson.Order;
import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A separate JVM that simulates in one thread: two simulating threads in one JVM would wait for each other at JVM-wide
 * locks, and no run could be repeated exactly. Used by one thread.
 */
final class SimulatingJvm implements Campaign.Simulator {

    private static final List<String> OPTIONS = List.of(
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "-Djdk.trackAllThreads=false",
            "-XX:+UseSerialGC",
            "-Xmx1g",
            "-Xmn600m", // a run leaves few live objects: rare collections cost less
            "-XX:+UseTransparentHugePages",
            "-XX:InlineSmallCode=500", // the time is spread over much code: inlining less of it makes it smaller
            "-XX:FreqInlineSize=110");

    /** From so many runs on, what the second JIT compiler gains in speed is more than what it takes. */
    private static final long MANY_RUNS = 120;

    private final Process process;
    private final Path errors;
    private final BufferedWriter orders;
    private final BufferedReader results;

    /** @param errors the file of its error output */
    private SimulatingJvm(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        this.results = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts a JVM with the class path of this one.
     *
     * @param runs about how many runs it is going to be asked for
     * @param options further options of the JVM
     */
    static SimulatingJvm start(long runs, String... options) throws IOException {
        Path errors = Files.createTempFile("poolkeeper-simulation", ".errors");
        errors.toFile().deleteOnExit(); // an external interrupt ends the process without closing anything
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(List.of(options));
        if (runs < MANY_RUNS) {
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SimulatingJvm.class.getName()));
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        return new SimulatingJvm(process, errors);
    }

    /** @throws IOException if the JVM ended; the message contains its error output */
    @Override
    public RunResult run(Order order) throws IOException {
        orders.write(RunJson.line(order));
        orders.newLine();
        orders.flush();
        String line = results.readLine();
        if (line == null) {
            throw new IOException("a simulating JVM ended: " + Files.readString(errors));
        }
        return RunJson.result(order.schedule(), line);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        try {
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            // deleted when this process ends; no reason to lose the results of other JVMs
        }
    }

    /** The file of its error output. */
    Path errors() {
        return errors;
    }

    /**
     * Simulates the orders from standard input until it is closed. A terminal sends Ctrl-C to this process too; it then
     * continues with the run in progress until its parent has the result and closes the input.
     */
    public static void main(String[] arguments) throws IOException {
        Thread simulating = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitEnd(simulating)));
        PrintStream out = System.out;
        System.setOut(System.err); // nothing else may be printed between the results
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        BufferedWriter results = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        try (Logging.Silence silence = Logging.silence()) { // no simulated thread may wait for a real one
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                Order order = RunJson.order(line);
                results.write(RunJson.line(Simulation.run(order.schedule(), DaemonFlaws.NONE, order.traced())));
                results.newLine();
                results.flush();
            }
        }
    }

    private static void awaitEnd(Thread simulating) {
        try {
            simulating.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
