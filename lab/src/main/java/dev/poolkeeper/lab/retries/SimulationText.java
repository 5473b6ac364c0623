package dev.poolkeeper.lab.retries;

import dev.poolkeeper.lab.replay.FoldedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** A simulation as text: the table of {@code linkerd routes -o wide}, one policy per row. */
public final class SimulationText {

    private static final List<String> HEAD = List.of(
            "POLICY",
            "EFFECTIVE_SUCCESS",
            "EFFECTIVE_RPS",
            "ACTUAL_SUCCESS",
            "ACTUAL_RPS",
            "LATENCY_P50",
            "LATENCY_P95",
            "LATENCY_P99",
            "RETRIES_REFUSED",
            "AMPLIFICATION");

    /** The legend of the table. */
    static final String INTERVALS = "±: half of the 95 % confidence interval";

    private SimulationText() {}

    /**
     * The complete text.
     *
     * @param width the number of columns; a wider table is continued below, one group of columns at a time
     */
    public static List<String> lines(RetrySimulation simulation, int width) {
        Scenario scenario = simulation.scenario();
        List<String> lines = new ArrayList<>();
        lines.add(scenario.name() + " (seed " + simulation.seed() + ")");
        if (!scenario.description().isEmpty()) {
            lines.addAll(FoldedText.of(scenario.description(), width, 0));
        }
        addTable(lines, rows(simulation), width);
        lines.add("");
        lines.add(INTERVALS);
        for (PolicyResult result : routed(simulation)) {
            lines.add("");
            lines.add(routeCaption(result) + ":");
            addTable(lines, routeRows(result), width);
        }
        if (!simulation.spreads().isEmpty()) {
            lines.add("");
            lines.add(spreadCaption(simulation) + ":");
            addTable(lines, spreadRows(simulation), width);
        }
        return lines;
    }

    /** Splits the columns into groups, each with the policies' names. */
    private static void addTable(List<String> lines, List<List<String>> rows, int width) {
        List<List<String>> columns = IntStream.range(0, rows.get(0).size())
                .mapToObj(column -> padded(rows, column))
                .toList();
        List<String> group = columns.get(0);
        for (List<String> column : columns.subList(1, columns.size())) {
            if (group.get(0).length() + column.get(0).length() > width) {
                lines.add("");
                lines.addAll(group);
                group = columns.get(0);
            }
            group = sideBySide(group, column);
        }
        lines.add("");
        lines.addAll(group);
    }

    private static List<String> padded(List<List<String>> rows, int column) {
        int width =
                rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
        return rows.stream()
                .map(row -> row.get(column))
                .map(cell -> {
                    String padding = " ".repeat(width - cell.length());
                    return column == 0 ? cell + padding : "   " + padding + cell;
                })
                .toList();
    }

    private static List<String> sideBySide(List<String> left, List<String> right) {
        return IntStream.range(0, left.size())
                .mapToObj(row -> left.get(row) + right.get(row))
                .toList();
    }

    static String spreadCaption(RetrySimulation simulation) {
        return "Median over the seeds 1 to " + simulation.scenario().seeds() + ", and the range of 95 %";
    }

    /** The header and a row for each policy, over many seeds; empty if there was only one. */
    static List<List<String>> spreadRows(RetrySimulation simulation) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD.subList(0, HEAD.indexOf("RETRIES_REFUSED")));
        for (PolicySpread spread : simulation.spreads()) {
            rows.add(spreadRow(spread.name(), spread));
            spread.routes().stream()
                    .filter(route -> route.effectiveRps().high() > 0)
                    .forEach(route -> rows.add(spreadRow(spread.name() + ", " + route.name(), route)));
        }
        return rows;
    }

    private static List<String> spreadRow(String name, PolicySpread spread) {
        return List.of(
                name,
                range("%.1f%%", spread.effectiveSuccess(), 100),
                range("%.1f", spread.effectiveRps(), 1),
                range("%.1f%%", spread.actualSuccess(), 100),
                range("%.1f", spread.actualRps(), 1),
                range("%.0fms", spread.p50Millis(), 1),
                range("%.0fms", spread.p95Millis(), 1),
                range("%.0fms", spread.p99Millis(), 1));
    }

    /** The results that have rows by route. */
    static List<PolicyResult> routed(RetrySimulation simulation) {
        return simulation.results().stream()
                .filter(result -> !result.routes().isEmpty())
                .toList();
    }

    static String routeCaption(PolicyResult result) {
        return "By route, under " + result.name();
    }

    /** The header and a row for each route, in the format of {@code linkerd routes -o wide}. */
    static List<List<String>> routeRows(PolicyResult result) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(HEAD.subList(0, HEAD.indexOf("AMPLIFICATION")));
        head.set(0, "ROUTE");
        rows.add(head);
        for (PolicyResult route : result.routes()) {
            rows.add(List.of(
                    route.name(),
                    text("%.2f%%", 100 * route.success().effective()),
                    text("%.1frps", route.rps().effective()),
                    text("%.2f%%", 100 * route.success().actual()),
                    text("%.1frps", route.rps().actual()),
                    millis(route.latency().p50Millis()),
                    millis(route.latency().p95Millis()),
                    millis(route.latency().p99Millis()),
                    String.valueOf(route.retriesRefused())));
        }
        return rows;
    }

    private static String range(String format, PolicySpread.Range range, double factor) {
        return text(format, factor * range.median())
                + " (" + text(format.replaceAll("(?<=f).*", ""), factor * range.low())
                + "-" + text(format.replaceAll("(?<=f).*", ""), factor * range.high()) + ")";
    }

    /** The header and a row for each policy. */
    static List<List<String>> rows(RetrySimulation simulation) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        simulation.results().forEach(result -> rows.add(row(result)));
        return rows;
    }

    private static List<String> row(PolicyResult result) {
        PolicyResult.Confidence confidence = result.confidence95();
        return List.of(
                result.name(),
                percent(result.success().effective(), confidence.effectiveSuccess()),
                text("%.1frps", result.rps().effective()),
                percent(result.success().actual(), confidence.actualSuccess()),
                text("%.1frps", result.rps().actual()),
                millis(result.latency().p50Millis()),
                millis(result.latency().p95Millis()),
                millis(result.latency().p99Millis()),
                String.valueOf(result.retriesRefused()),
                text("%.2f ±%.2f", result.amplification(), half(confidence.amplification())));
    }

    private static String percent(double share, Interval interval) {
        return text("%.2f%% ±%.2f", 100 * share, 100 * half(interval));
    }

    private static double half(Interval interval) {
        return (interval.high() - interval.low()) / 2;
    }

    private static String millis(double millis) {
        return millis < 10_000 ? text("%.0fms", millis) : text("%.1fs", millis / 1_000);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
