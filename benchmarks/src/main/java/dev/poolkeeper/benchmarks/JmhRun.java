package dev.poolkeeper.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.ListStatistics;

/** Runs the JMH benchmarks of this package. A figure is the median of all measured iterations of all forks. */
final class JmhRun {

    private static final Pattern LETTERS = Pattern.compile("^(A1|A2|B1|B2|C1|C2|D|E|G|Parked)[A-Z].*");

    /** Benchmarks whose operation takes microseconds. */
    private static final List<String> FAST = List.of("B1", "D");

    private JmhRun() {}

    static List<Measured> run(Arguments arguments) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^dev\\.poolkeeper\\.benchmarks\\.(" + arguments.only() + ")")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(arguments.quick() ? 1 : 3)
                .warmupIterations(arguments.quick() ? 3 : 5)
                .warmupTime(TimeValue.milliseconds(arguments.quick() ? 700 : 1000))
                .measurementIterations(5)
                .measurementTime(TimeValue.milliseconds(arguments.quick() ? 200 : 500))
                .shouldFailOnError(true)
                .jvmArgsPrepend("-Xms1g", "-Xmx2g", "-XX:+UseSerialGC")
                .addProfiler(GCProfiler.class);
        String folder = arguments.jfr();
        if (folder != null) {
            options.addProfiler("jfr", "dir=" + folder);
        }
        List<Measured> results = new ArrayList<>();
        for (RunResult result : new Runner(options.build(), progress()).run()) {
            results.add(measured(result));
        }
        return results;
    }

    /** Progress goes to standard error; standard output is for the table. */
    private static OutputFormat progress() {
        return OutputFormatFactory.createFormatInstance(System.err, VerboseMode.NORMAL);
    }

    private static Measured measured(RunResult result) {
        BenchmarkParams params = result.getParams();
        String letters = letters(params);
        boolean fast = FAST.contains(letters);
        double nanos = median(result.getBenchmarkResults());
        return new Measured(
                letters + suffix(params), fast ? nanos / 1e3 : nanos / 1e6, fast ? "us" : "ms", bytesPerOp(result));
    }

    private static String letters(BenchmarkParams params) {
        String name = params.getBenchmark();
        String type = name.substring(0, name.lastIndexOf('.'));
        Matcher matcher = LETTERS.matcher(type.substring(type.lastIndexOf('.') + 1));
        if (!matcher.matches()) {
            throw new IllegalStateException("a benchmark's class must be named after its letter, found " + type);
        }
        return matcher.group(1).equals("Parked") ? "parked" : matcher.group(1);
    }

    /** The parameters, the model first. */
    private static String suffix(BenchmarkParams params) {
        StringBuilder suffix = new StringBuilder();
        if (params.getParam("model") != null) {
            suffix.append('-').append(params.getParam("model"));
        }
        for (String key : params.getParamsKeys()) {
            if (!key.equals("model")) {
                suffix.append('-').append(params.getParam(key));
            }
        }
        return suffix.toString();
    }

    private static double median(Collection<BenchmarkResult> forks) {
        ListStatistics scores = new ListStatistics();
        forks.forEach(fork -> fork.getIterationResults()
                .forEach(iteration ->
                        scores.addValue(iteration.getPrimaryResult().getScore())));
        return scores.getPercentile(50);
    }

    private static @Nullable Long bytesPerOp(RunResult result) {
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        return allocated == null ? null : Math.round(allocated.getScore());
    }
}
