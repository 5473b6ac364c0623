package dev.poolkeeper.benchmarks;

import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.benchmarks.FreshnessScenario.Quota;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.replay.ArmTimes;
import dev.poolkeeper.lab.replay.FreshnessResult;
import dev.poolkeeper.lab.replay.ReplayOptions;
import dev.poolkeeper.lab.replay.Speed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Replays scenarios on virtual time with each strategy, and prints how quickly changes reach the pools. */
public final class FreshnessRun {

    private static final Duration READ = Duration.ofMillis(60);
    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final Duration GATHER = Duration.ofSeconds(1);

    private static final Duration LONG_WRITE = Duration.ofSeconds(20);

    /** In percent. */
    private static final int JITTER = 20;

    private FreshnessRun() {}

    /** A strategy. */
    private enum Way {
        GO_LIKE("Go-like"),
        TICK("tick"),
        /** All pools count as having waited too long: urgency decides only between pools with equal waits. */
        LONGEST_WAITING_FIRST("eager, longest waiting first"),
        EAGER("eager"),
        /** Only with so few writes that two minutes pass before urgency has an effect. */
        PATIENT("eager, longest wait 30 min"),
        /** As the daemon by default, with guards, and with the resource lock, which no other writer wants. */
        SHIPPED("eager, as shipped"),
        /** Each change is written alone and at once. */
        BOUND("lower bound"),
        /** The same, but load balancers and the quota take one write after another. */
        LANES("lower bound of the lanes");

        final String label;

        Way(String label) {
            this.label = label;
        }

        boolean fits(Quota quota) {
            return this == PATIENT ? quota != Quota.ENDLESS : this != BOUND || quota == Quota.ENDLESS;
        }

        Pace pace() {
            return switch (this) {
                case GO_LIKE, TICK -> Pace.TICK;
                case LONGEST_WAITING_FIRST -> new Pace.Eager(GATHER, Duration.ofMillis(1), INTERVAL);
                case EAGER, SHIPPED, BOUND, LANES -> new Pace.Eager(GATHER, Duration.ofMinutes(2), INTERVAL);
                case PATIENT -> new Pace.Eager(GATHER, Duration.ofMinutes(30), INTERVAL);
            };
        }
    }

    private record Row(FreshnessScenario scenario, Way way, FreshnessResult result) {}

    /** @param args the folder of the bundled recordings, and an output folder */
    public static void main(String[] args) throws IOException, BadInputException, InterruptedException {
        Peer.require(args.length == 2, "the folder of the recordings and one for the results", args.length);
        Path folder = Path.of(args[1]);
        Files.createDirectories(folder);
        Configuration shipped = configuration(folder, "");
        List<Row> rows = new ArrayList<>();
        for (FreshnessScenario scenario : FreshnessScenario.all(Path.of(args[0]), folder)) {
            for (Way way : Way.values()) {
                if (way.fits(scenario.quota())) {
                    rows.add(new Row(scenario, way, run(scenario, way, shipped)));
                }
            }
        }
        List<String> table = table(rows);
        table.forEach(System.out::println);
        Files.write(folder.resolve("freshness.md"), table);
        List<String> lanes = lanes(rows.getLast().scenario(), folder);
        lanes.forEach(System.out::println);
        Files.write(folder.resolve("lanes.md"), lanes);
        List<Row> charted = rows.stream() // one of them would dwarf all others
                .filter(row -> !row.scenario().name().equals(FreshnessScenario.ROLL))
                .toList();
        chart(
                folder.resolve("freshness-change-to-written.svg"),
                "From a change to its write: median, seconds",
                charted,
                FreshnessResult::p50);
        chart(
                folder.resolve("freshness-outage.svg"),
                "Outage, summed over pools, seconds",
                charted.stream().filter(row -> row.way() != Way.LANES).toList(),
                FreshnessResult::outage);
    }

    /** The daemon's defaults, except for this. */
    private static Configuration configuration(Path folder, String setting) throws IOException, BadInputException {
        return ConfigurationReader.readForReplay(Files.writeString(
                folder.resolve("poolkeeper.yaml"), "subscriptionId: s-1\nresourceGroup: g-1\n" + setting + "\n"));
    }

    /** Where the time of the load balancers goes, with calls of slightly different durations. */
    private static List<String> lanes(FreshnessScenario scenario, Path folder)
            throws IOException, BadInputException, InterruptedException {
        List<String> lines = new ArrayList<>(LaneUse.heading());
        lines.addAll(lanes(scenario, "writes of 3 s", scenario.write(), configuration(folder, "")));
        lines.addAll(lanes(scenario, "writes of 20 s", LONG_WRITE, configuration(folder, "")));
        lines.addAll(lanes(
                scenario,
                "writes of 3 s, 16 in parallel",
                scenario.write(),
                configuration(folder, "loadBalancerConcurrency: 16")));
        return lines;
    }

    private static List<String> lanes(
            FreshnessScenario scenario, String name, Duration write, Configuration configuration)
            throws IOException, BadInputException, InterruptedException {
        ReplayOptions options = new ReplayOptions(
                scenario.input(),
                ReplayOptions.Via.MEMORY,
                Speed.MAX,
                configuration.engine(),
                false,
                Optional.of(new ArmTimes(READ, write, JITTER, 1)),
                false,
                Optional.of(configuration));
        return LaneUse.rows(name, new MeasuredRun(scenario, options).lanes(GATHER));
    }

    private static FreshnessResult run(FreshnessScenario scenario, Way way, Configuration shipped)
            throws IOException, BadInputException, InterruptedException {
        return switch (way) {
            case BOUND -> LowerBound.of(scenario.input(), READ.plus(scenario.write()));
            case LANES -> lanes(scenario);
            default ->
                new MeasuredRun(scenario, options(scenario, way, shipped))
                        .result()
                        .freshness();
        };
    }

    private static ReplayOptions options(FreshnessScenario scenario, Way way, Configuration shipped)
            throws IOException, BadInputException {
        return new ReplayOptions(
                scenario.input(),
                ReplayOptions.Via.MEMORY,
                Speed.MAX,
                way == Way.SHIPPED ? shipped.engine() : EngineSettings.REFERENCE.withPace(way.pace()),
                false,
                Optional.of(new ArmTimes(READ, scenario.write(), 0, 0)),
                way == Way.GO_LIKE,
                Optional.of(shipped).filter(configuration -> way == Way.SHIPPED));
    }

    private static FreshnessResult lanes(FreshnessScenario scenario) throws IOException, BadInputException {
        LaneBound bound = new LaneBound(
                PoolChanges.of(scenario.input()),
                READ,
                scenario.write(),
                length -> scenario.quota() == Quota.ENDLESS ? Long.MAX_VALUE : ThrottledPools.mostWithin(length));
        return new FreshnessResult(
                bound.count(),
                bound.percentile(50),
                bound.percentile(90),
                bound.percentile(99),
                bound.percentile(100),
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                0,
                0);
    }

    private static List<String> table(List<Row> rows) {
        List<String> lines = new ArrayList<>();
        lines.add("| scenario | write | way | changes | p50 | p90 | p99 | max | outage | missing | stale | reads /"
                + " writes |");
        lines.add("|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        for (Row row : rows) {
            FreshnessResult result = row.result();
            boolean isFirst = row.way() == Way.GO_LIKE;
            lines.add("| %s | %s | %s | %,d | %s | %s | %s | %s | %s | %s | %s | %s |"
                    .formatted(
                            isFirst ? row.scenario().name() : "",
                            isFirst ? row.scenario().write().toSeconds() + " s" : "",
                            row.way().label,
                            result.changes(),
                            tenths(result.p50()),
                            tenths(result.p90()),
                            tenths(result.p99()),
                            tenths(result.max()),
                            sum(row, result.outage()),
                            sum(row, result.missingAddressTime()),
                            sum(row, result.staleAddressTime()),
                            isBound(row.way()) ? "" : "%,d / %,d".formatted(result.reads(), result.writes())));
        }
        return lines;
    }

    /** The lower bounds make no calls. */
    private static boolean isBound(Way way) {
        return way == Way.BOUND || way == Way.LANES;
    }

    private static String sum(Row row, Duration duration) {
        return row.way() == Way.LANES ? "" : seconds(duration);
    }

    private static String tenths(Duration duration) {
        return String.format(Locale.ROOT, "%,.1f", duration.toMillis() / 1e3);
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%,.0f", duration.toMillis() / 1e3);
    }

    private static void chart(Path file, String title, List<Row> rows, Function<FreshnessResult, Duration> figure)
            throws IOException {
        BarChart chart = new BarChart(title);
        for (Row row : rows) {
            chart.bar(
                    "%s, %d s a write"
                            .formatted(
                                    row.scenario().name(),
                                    row.scenario().write().toSeconds()),
                    row.way().label,
                    figure.apply(row.result()).toMillis() / 1e3);
        }
        Files.writeString(file, chart.svg());
    }
}
