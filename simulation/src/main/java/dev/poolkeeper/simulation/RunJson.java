package dev.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.simulation.invariant.Violation;
import dev.poolkeeper.simulation.report.RunFiles;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Schedule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Encodes runs and their results as lines of JSON, exchanged between a campaign and its JVMs. */
final class RunJson {

    private static final ObjectMapper JSON = new ObjectMapper();

    private RunJson() {}

    /**
     * A run to be simulated.
     *
     * @param traced whether to record every event
     */
    record Order(long seed, Mode mode, int minutes, boolean traced) {

        Schedule schedule() {
            return Schedule.of(seed, mode, minutes);
        }
    }

    static String line(Order order) {
        return JSON.createObjectNode()
                .put("seed", order.seed())
                .put("mode", order.mode().name())
                .put("minutes", order.minutes())
                .put("traced", order.traced())
                .toString();
    }

    /** @throws IOException if the line is not an order */
    static Order order(String line) throws IOException {
        JsonNode json = JSON.readTree(line);
        return new Order(
                json.path("seed").asLong(),
                Mode.valueOf(json.path("mode").asText()),
                json.path("minutes").asInt(),
                json.path("traced").asBoolean());
    }

    static String line(RunResult run) {
        ObjectNode json = JSON.createObjectNode();
        run.violation()
                .ifPresent(violation -> json.putObject("violation")
                        .put("invariant", violation.invariant())
                        .put("promise", violation.promise())
                        .put("atMillis", violation.atMillis())
                        .put("story", violation.story()));
        json.put("events", run.events()).put("changes", run.changes()).put("writes", run.writes());
        ObjectNode reached = json.putObject("reached");
        run.coverage().times().forEach(reached::put);
        ArrayNode timeline = json.putArray("timeline");
        run.timeline().forEach(timeline::add);
        return json.toString();
    }

    /** @throws IOException if the line is not a result */
    static RunResult result(Schedule schedule, String line) throws IOException {
        JsonNode json = JSON.readTree(line);
        JsonNode violation = json.path("violation");
        Coverage coverage = new Coverage();
        json.path("reached")
                .properties()
                .forEach(one -> coverage.reached(one.getKey(), one.getValue().asLong()));
        List<String> timeline = new ArrayList<>();
        json.path("timeline").forEach(one -> timeline.add(one.asText()));
        return new RunResult(
                schedule,
                violation.isMissingNode()
                        ? Optional.empty()
                        : Optional.of(new Violation(
                                violation.path("invariant").asText(),
                                violation.path("promise").asText(),
                                violation.path("atMillis").asLong(),
                                violation.path("story").asText())),
                json.path("events").asLong(),
                json.path("changes").asLong(),
                json.path("writes").asLong(),
                coverage,
                timeline,
                new RunFiles());
    }
}
