package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.lab.commands.LabRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replays with the daemon's defaults, guards on, beside the same without guards. Virtual time. */
class GuardedFreshnessTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TIMES = "read=200ms,write=3s";
    private static final int NODES = 60;

    @TempDir
    private Path folder;

    private JsonNode replay(List<String> input, boolean guards) throws IOException {
        Path report = folder.resolve("report.json");
        List<String> line = new ArrayList<>(List.of("replay"));
        line.addAll(input);
        line.addAll(List.of("--pace", "eager", "--arm-times", TIMES, "--report", report.toString()));
        if (guards) {
            line.addAll(List.of("--config", config().toString()));
        }
        CommandLineRun run = LabRun.of(line.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isBetween(0, 1);
        return JSON.readTree(Files.newInputStream(report));
    }

    private Path config() throws IOException {
        return Files.writeString(folder.resolve("poolkeeper.yaml"), "subscriptionId: s-1\nresourceGroup: g-1\n");
    }

    private void compare(List<String> input) throws IOException {
        JsonNode without = replay(input, false).get("freshness");
        JsonNode with = replay(input, true).get("freshness");

        within(10, "p50Millis", with, without);
        within(20, "p99Millis", with, without);
        within(10, "writes", with, without);
    }

    private static void within(int percent, String figure, JsonNode with, JsonNode without) {
        assertThat(with.get(figure).asLong())
                .as("%s with guards %s, without %s", figure, with, without)
                .isLessThanOrEqualTo(without.get(figure).asLong() * (100 + percent) / 100);
    }

    /** The faults of rough-start.json are left out: a 403 holds its pool back for a minute, as it should. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "churn-small,",
        "churn-small, a-bad-minute",
        "churn-small, exhausted",
        "churn-large,",
        "churn-large, a-bad-minute",
        "churn-large, exhausted",
        "comings-and-goings,",
        "comings-and-goings, a-bad-minute",
        "comings-and-goings, exhausted"
    })
    @Rule(
            id = "J40",
            says = "With the daemon's defaults, guards on, the bundled recordings, a churn and a roll of all pools"
                    + " are as fresh as without guards: median and writes within a tenth, p99 within a fifth.",
            source = "ours")
    void the_bundled_recordings(String recording, String faults) throws IOException {
        List<String> input = new ArrayList<>(List.of(
                "../recordings/" + recording + ".jsonl.gz",
                "--inventory",
                "../recordings/" + recording + ".inventory.json"));
        if (faults != null) {
            input.addAll(List.of("--faults", "../recordings/faults/" + faults + ".json"));
        }
        compare(input);
    }

    private Scenario nodes() {
        Scenario scenario = new Scenario(folder);
        for (int node = 1; node <= NODES; node++) {
            scenario.node("n" + node, "10.0.0." + node);
        }
        return scenario;
    }

    private static String[] names(List<Integer> nodes) {
        return nodes.stream().map(node -> "n" + node).toArray(String[]::new);
    }

    private static void service(Scenario scenario, int number, int loadBalancers, List<Integer> nodes) {
        scenario.pool(
                "lb-%02d/shop-s%d".formatted(number % loadBalancers, number),
                nodes.stream().map(node -> "10.0.0." + node).toArray(String[]::new));
        scenario.localService("shop/s" + number);
        scenario.slice("shop/s" + number, "s" + number, names(nodes));
    }

    private static List<Integer> some(Random random, int count) {
        return random.ints(1, NODES + 1).distinct().limit(count).boxed().toList();
    }

    /** Pods move to other nodes, and sometimes one comes or goes. */
    @Test
    void a_churn() throws IOException {
        Random random = new Random(7);
        Scenario scenario = nodes();
        List<List<Integer>> pools = new ArrayList<>();
        for (int i = 0; i < 31; i++) {
            pools.add(new ArrayList<>(some(random, 3 + random.nextInt(8))));
            service(scenario, i, 3, pools.get(i));
        }
        for (int change = 0; change < 320; change++) {
            scenario.at(60_000 + change * 281L);
            int number = random.nextInt(31);
            List<Integer> pool = pools.get(number);
            List<Integer> others = new ArrayList<>(some(random, NODES));
            others.removeAll(pool);
            int kind = random.nextInt(10);
            if (kind < 9 || pool.size() < 3) {
                pool.add(others.get(0));
            }
            if (kind > 0 && pool.size() > 2) {
                pool.remove(0);
            }
            scenario.slice("shop/s" + number, "s" + number, names(pool));
        }
        compare(scenario.input());
    }

    @Test
    void each_of_400_pools_replaces_one_of_four_nodes() throws IOException {
        Random random = new Random(7);
        Scenario scenario = nodes();
        List<List<Integer>> pools = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            pools.add(new ArrayList<>(some(random, 5)));
            service(scenario, i, 20, pools.get(i).subList(0, 4));
        }
        scenario.at(60_000);
        for (int i = 0; i < 400; i++) {
            scenario.slice("shop/s" + i, "s" + i, names(pools.get(i).subList(1, 5)));
        }
        List<String> input = scenario.input();
        compare(input);
        assertThat(replay(input, true).at("/freshness/writes").asInt()).isEqualTo(400);
    }
}
