package dev.poolkeeper.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class of this program in a separate JVM. */
final class OwnJvm {

    private OwnJvm() {}

    /** Returns the last line that it printed; its standard error goes to ours. */
    static String run(Class<?> main, List<String> options, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int exitCode = process.waitFor();
        Peer.require(exitCode == 0, main.getSimpleName() + " to succeed", "exit code " + exitCode);
        return output.substring(output.lastIndexOf('\n') + 1);
    }
}
