package dev.poolkeeper.lab.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.simulation.CampaignResult;
import dev.poolkeeper.simulation.RunResult;
import dev.poolkeeper.simulation.invariant.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The final report of a simulation: counts, and the number of runs that reached each fault and branch. */
public final class SimulateReport {

    private final CampaignResult result;
    private final SimulateArguments arguments;
    private final double seconds;

    /** @param seconds the elapsed time */
    public SimulateReport(CampaignResult result, SimulateArguments arguments, double seconds) {
        this.result = result;
        this.arguments = arguments;
        this.seconds = seconds;
    }

    /** The report as text. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(reached());
        result.missing()
                .forEach(what -> lines.add("MISSING: \"%s\" was reached in %d of %d runs, which is too few"
                        .formatted(what, result.coverage().runs(what), result.runs())));
        lines.addAll(totals());
        return lines;
    }

    /** The report of an interrupted simulation as text: branches that were not reached are not reported. */
    public List<String> partialLines() {
        List<String> lines = new ArrayList<>(reached());
        lines.addAll(totals());
        return lines;
    }

    private List<String> reached() {
        List<String> lines = new ArrayList<>();
        lines.add("reached in how many of %,d runs:".formatted(result.runs()));
        result.reached()
                .forEach((what, runs) -> lines.add(
                        "  %-46s %,10d  %5.1f %%".formatted(what, runs, 100.0 * runs / Math.max(1, result.runs()))));
        return lines;
    }

    private List<String> totals() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "%,d runs of %d simulated minutes (%,.1f hours): %,d events, %,d writes%nat least %,d changes and faults in"
                                .formatted(
                                        result.runs(),
                                        result.minutes(),
                                        result.runs() * result.minutes() / 60.0,
                                        result.events(),
                                        result.writes(),
                                        result.leastChanges() == Long.MAX_VALUE ? 0 : result.leastChanges())
                        + " each");
        lines.add("%.1f s, %d at a time, %.1f runs a second"
                .formatted(seconds, arguments.jobs(), result.runs() / Math.max(0.001, seconds)));
        lines.add(
                result.failures().isEmpty()
                        ? "every invariant held"
                        : "%d runs broke an invariant"
                                .formatted(result.failures().size()));
        if (result.seedsNotRun() > 0) {
            lines.add("%,d of %,d seeds were not run".formatted(result.seedsNotRun(), arguments.count()));
        }
        return lines;
    }

    /** Why seeds were not run; empty if all were. */
    public Optional<String> stopped() {
        return result.seedsNotRun() == 0
                ? Optional.empty()
                : Optional.of("Stopped after %d of %d seeds, because %d runs broke an invariant."
                        .formatted(
                                arguments.count() - result.seedsNotRun(),
                                arguments.count(),
                                result.failures().size()));
    }

    /** The report as JSON. */
    public String json() {
        ObjectNode report = JsonNodeFactory.instance.objectNode();
        report.put("firstSeed", arguments.from()).put("lastSeed", arguments.to());
        report.put("seedsNotRun", result.seedsNotRun());
        report.put("runs", result.runs()).put("minutes", result.minutes());
        report.put("events", result.events()).put("writes", result.writes());
        report.put("leastChanges", result.leastChanges() == Long.MAX_VALUE ? 0 : result.leastChanges());
        report.put("seconds", seconds);
        ObjectNode reached = report.putObject("reached");
        result.reached().forEach(reached::put);
        ArrayNode missing = report.putArray("missing");
        result.missing().forEach(missing::add);
        ArrayNode failures = report.putArray("failures");
        for (RunResult failure : result.failures()) {
            Violation violation = failure.violation().orElseThrow();
            failures.addObject()
                    .put("seed", failure.schedule().seed())
                    .put("mode", failure.schedule().mode().name())
                    .put("invariant", violation.invariant())
                    .put("atMillis", violation.atMillis())
                    .put("story", violation.story());
        }
        return report.toPrettyString();
    }
}
