package dev.poolkeeper.benchmarks;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.Stage;
import com.google.inject.util.Modules;
import dev.poolkeeper.azure.http.RemainingQuota;
import dev.poolkeeper.benchmarks.FreshnessScenario.Quota;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.replay.ArmTimes;
import dev.poolkeeper.lab.replay.FreshnessResult;
import dev.poolkeeper.lab.replay.LaneStarts;
import dev.poolkeeper.lab.replay.ReplayOptions;
import dev.poolkeeper.lab.replay.ReplaySession;
import dev.poolkeeper.lab.replay.Speed;
import dev.poolkeeper.lab.replay.TimedCalls;
import dev.poolkeeper.lab.wiring.ReplayModule;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.WriteQuota;
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
        /** Each change is written alone and at once. */
        BOUND("lower bound");

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
                case EAGER, BOUND -> new Pace.Eager(GATHER, Duration.ofMinutes(2), INTERVAL);
                case PATIENT -> new Pace.Eager(GATHER, Duration.ofMinutes(30), INTERVAL);
            };
        }
    }

    private record Row(FreshnessScenario scenario, Way way, FreshnessResult result) {}

    /** @param args the folder of the bundled recordings, and an output folder */
    public static void main(String[] args) throws IOException, BadInputException, InterruptedException {
        Peer.require(args.length == 2, "the folder of the recordings and one for the results", args.length);
        Path folder = Path.of(args[1]);
        List<Row> rows = new ArrayList<>();
        for (FreshnessScenario scenario : FreshnessScenario.all(Path.of(args[0]), folder)) {
            for (Way way : Way.values()) {
                if (way.fits(scenario.quota())) {
                    rows.add(new Row(scenario, way, run(scenario, way)));
                }
            }
        }
        List<String> table = table(rows);
        table.forEach(System.out::println);
        Files.write(folder.resolve("freshness.md"), table);
        chart(
                folder.resolve("freshness-change-to-written.svg"),
                "From a change to its write: median, seconds",
                rows,
                FreshnessResult::p50);
        chart(
                folder.resolve("freshness-outage.svg"),
                "Outage, summed over pools, seconds",
                rows,
                FreshnessResult::outage);
    }

    private static FreshnessResult run(FreshnessScenario scenario, Way way)
            throws IOException, BadInputException, InterruptedException {
        if (way == Way.BOUND) {
            return LowerBound.of(scenario.input(), READ.plus(scenario.write()));
        }
        ReplayOptions options = new ReplayOptions(
                scenario.input(),
                ReplayOptions.Via.MEMORY,
                Speed.MAX,
                EngineSettings.REFERENCE.withPace(way.pace()),
                false,
                Optional.of(new ArmTimes(READ, scenario.write(), 0, 0)),
                way == Way.GO_LIKE,
                Optional.empty());
        Module replay = new ReplayModule(options, event -> {});
        Module module = scenario.quota() == Quota.ENDLESS
                ? replay
                : Modules.override(replay).with(new ThrottledModule(scenario.quota()));
        return Guice.createInjector(Stage.PRODUCTION, module)
                .getInstance(ReplaySession.class)
                .run(played -> {})
                .freshness();
    }

    /** Throttles the calls of the engine. */
    private static final class ThrottledModule extends AbstractModule {

        private final Quota quota;

        ThrottledModule(Quota quota) {
            this.quota = quota;
        }

        @Provides
        @Singleton
        RemainingQuota remaining(FakeTime time) {
            return new RemainingQuota(time);
        }

        @Provides
        @Singleton
        BackendPools pools(LaneStarts starts, FakeTime time, RemainingQuota remaining) {
            return new ThrottledPools((TimedCalls) starts, time, remaining);
        }

        @Provides
        @Singleton
        WriteQuota quota(RemainingQuota remaining) {
            return quota == Quota.REPORTED ? remaining : WriteQuota.UNKNOWN;
        }
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
                            seconds(result.outage()),
                            seconds(result.missingAddressTime()),
                            seconds(result.staleAddressTime()),
                            row.way() == Way.BOUND ? "" : "%,d / %,d".formatted(result.reads(), result.writes())));
        }
        return lines;
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
