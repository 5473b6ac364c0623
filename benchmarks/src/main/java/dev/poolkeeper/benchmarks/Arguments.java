package dev.poolkeeper.benchmarks;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code benchmarks/run}.
 *
 * @param quick fewer forks and shorter iterations
 * @param json the output file for the results, null for none
 * @param jfr the output folder for a flight recording of each benchmark, null for none
 * @param only a regular expression for the prefix of the benchmarks' names
 */
record Arguments(
        boolean quick, @Nullable String json, @Nullable String jfr, String only) {

    static final String USAGE = "usage: run [--quick] [--json FILE] [--jfr DIR] [--only REGEX]";

    /** @throws IllegalArgumentException with a readable message */
    static Arguments parse(String... args) {
        boolean quick = false;
        String json = null;
        String jfr = null;
        String only = "";
        Iterator<String> rest = List.of(args).iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            switch (option) {
                case "--quick" -> quick = true;
                case "--json" -> json = value(option, rest);
                case "--jfr" -> jfr = value(option, rest);
                case "--only" -> only = value(option, rest);
                default -> throw new IllegalArgumentException("unknown option " + option + "; " + USAGE);
            }
        }
        return new Arguments(quick, json, jfr, only);
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value; " + USAGE);
        }
        return rest.next();
    }

    /** The options that make a separate JVM write a flight recording, if requested. */
    List<String> recording(String name) {
        return jfr == null ? List.of() : List.of("-XX:StartFlightRecording=filename=" + Path.of(jfr, name + ".jfr"));
    }

    /** Whether a benchmark outside JMH is selected. */
    boolean includes(String name) {
        return Pattern.compile(only).matcher(name).lookingAt();
    }
}
