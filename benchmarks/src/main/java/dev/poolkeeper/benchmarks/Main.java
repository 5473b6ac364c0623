package dev.poolkeeper.benchmarks;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.RunnerException;

/** Runs all benchmarks and writes a Markdown table to standard output and, if requested, JSON to a file. */
public final class Main {

    private Main() {}

    public static void main(String[] args) throws IOException, RunnerException, InterruptedException {
        Arguments arguments;
        try {
            arguments = Arguments.parse(args);
            if (arguments.jfr() != null) {
                Files.createDirectories(Path.of(arguments.jfr()));
            }
        } catch (IllegalArgumentException e) {
            System.err.println("benchmarks: " + e.getMessage());
            System.exit(2);
            return;
        }
        List<Measured> results = new ArrayList<>();
        try {
            results.addAll(JmhRun.run(arguments));
        } catch (NoBenchmarksException e) {
            if (!arguments.includes(FHeap.NAME) && !arguments.includes(EndpointToPool.NAME)) {
                System.err.println("benchmarks: nothing matches --only " + arguments.only());
                System.exit(2);
            }
        }
        if (arguments.includes(FHeap.NAME)) {
            results.addAll(FHeap.run(arguments));
        }
        if (arguments.includes(EndpointToPool.NAME)) {
            results.addAll(EndpointToPool.run(arguments));
        }
        results.addAll(Growth.of(results));
        System.out.println();
        MarkdownTable.lines(results).forEach(System.out::println);
        if (arguments.json() != null) {
            Files.writeString(Path.of(arguments.json()), json(results));
        }
    }

    private static String json(List<Measured> results) throws IOException {
        JsonMapper mapper = new JsonMapper();
        ObjectNode document = mapper.createObjectNode();
        ArrayNode list = document.putArray("results");
        for (Measured result : results) {
            ObjectNode entry = list.addObject()
                    .put("id", result.id())
                    .put("value", result.value())
                    .put("unit", result.unit());
            if (result.bytesPerOp() != null) {
                entry.put("bytesPerOp", result.bytesPerOp());
            }
        }
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
    }
}
