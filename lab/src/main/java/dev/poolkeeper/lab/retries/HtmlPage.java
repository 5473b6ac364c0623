package dev.poolkeeper.lab.retries;

import dev.poolkeeper.ports.ForeignText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** A simulation as an HTML page: the table, and charts over time. No scripts and no external resources. */
public final class HtmlPage {

    private static final String STYLE = """
        :root { color-scheme: light dark; --ink: #1b1b1b; --page: #fff; --rule: #ccc; --grid: #ddd; --c0: #0072b2; --c1: #d55e00;
          --c2: #009e73; --c3: #cc79a7; --c4: #e69f00; --c5: #56b4e9; --c6: #000; --c7: #7f7f7f }
        @media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --page: #16181c; --rule: #444; --grid: #333; --c0: #4aa8e0;
          --c1: #ff8a3c; --c2: #2fd0a0; --c3: #e5a3c8; --c4: #ffc34d; --c5: #9ad4f5; --c6: #fff; --c7: #a0a0a0 } }
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: var(--ink);
          background: var(--page) }
        table { border-collapse: collapse; margin: 1rem 0; font-size: .8rem; width: 100% }
        th, td { padding: .3rem; text-align: right; border-bottom: 1px solid var(--rule); vertical-align: bottom }
        th { font-size: .7rem } td + td { white-space: nowrap } th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere }
        figure { margin: 2rem 0 } figcaption { font-weight: 600 } svg { width: 100%; height: auto } svg text { fill: var(--ink) }
        .grid { stroke: var(--grid) } .c0 { stroke: var(--c0) } .c1 { stroke: var(--c1) } .c2 { stroke: var(--c2) }
        .c3 { stroke: var(--c3) } .c4 { stroke: var(--c4) } .c5 { stroke: var(--c5) } .c6 { stroke: var(--c6) } .c7 { stroke: var(--c7) }
        @media (max-width: 62rem) { th { display: none } tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--rule) }
          td, td + td { display: flex; justify-content: space-between; border: 0; padding: .1rem 0; white-space: normal }
          td:first-child { font-weight: 600 }
          td::before { content: attr(data-name); font-weight: 400; padding-right: 1rem } }
        """;

    private HtmlPage() {}

    public static String of(RetrySimulation simulation) {
        StringBuilder page = begun("Retries: " + simulation.scenario().name());
        page.append("<p>")
                .append(escape(simulation.scenario().description()))
                .append("</p>\n<p>Seed ")
                .append(simulation.seed())
                .append(".</p>\n");
        appendTable(page, SimulationText.rows(simulation));
        page.append("<p>").append(SimulationText.INTERVALS).append(".</p>\n");
        for (PolicyResult result : SimulationText.routed(simulation)) {
            page.append("<p>")
                    .append(escape(SimulationText.routeCaption(result)))
                    .append(":</p>\n");
            appendTable(page, SimulationText.routeRows(result));
        }
        if (!simulation.spreads().isEmpty()) {
            page.append("<p>").append(SimulationText.spreadCaption(simulation)).append(":</p>\n");
            appendTable(page, SimulationText.spreadRows(simulation));
        }
        double seconds = simulation.scenario().duration().toNanos() / 1e9 / Tally.STRETCHES;
        chart(page, simulation, "Load on the backend: attempts per second", course -> rate(course.attempts(), seconds));
        chart(page, simulation, "Successful requests per second", course -> rate(course.succeeded(), seconds));
        chart(page, simulation, "Retries per second", course -> rate(course.retries(), seconds));
        chart(page, simulation, "Retries refused by the budget, per second", course -> rate(course.refused(), seconds));
        latencies(page, simulation);
        return page.append("</body>\n</html>\n").toString();
    }

    /** On a narrow screen each row is a list whose cells show the column's name. */
    static void appendTable(StringBuilder page, List<List<String>> rows) {
        List<String> head = rows.get(0);
        page.append("<table>\n<tr>");
        head.forEach(name -> page.append("<th scope=\"col\">")
                .append(escape(name.replace('_', ' ')))
                .append("</th>"));
        page.append("</tr>\n");
        for (List<String> row : rows.subList(1, rows.size())) {
            page.append("<tr>");
            for (int column = 0; column < row.size(); column++) {
                page.append("<td data-name=\"")
                        .append(escape(head.get(column)))
                        .append("\">")
                        .append(escape(row.get(column)))
                        .append("</td>");
            }
            page.append("</tr>\n");
        }
        page.append("</table>\n");
    }

    private static void latencies(StringBuilder page, RetrySimulation simulation) {
        String caption = "Latency: percentage of requests by duration, including retries and waits";
        int used = simulation.results().stream()
                .mapToInt(result -> used(result.histogram()))
                .max()
                .orElse(1);
        List<SvgChart.Line> lines = simulation.results().stream()
                .map(result -> new SvgChart.Line(result.name(), percent(result.histogram(), used)))
                .toList();
        List<SvgChart.Tick> ticks = IntStream.rangeClosed(0, (used - 1) / Tally.BUCKETS_A_DECADE)
                .mapToObj(decade -> new SvgChart.Tick(
                        (decade * Tally.BUCKETS_A_DECADE + 1.0) / used,
                        List.of("1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s")
                                .get(decade)))
                .toList();
        figure(page, caption, SvgChart.of(caption, ticks, lines));
    }

    /** The number of buckets up to the last non-empty one. */
    private static int used(long[] histogram) {
        int used = histogram.length;
        while (used > 1 && histogram[used - 1] == 0) {
            used--;
        }
        return used;
    }

    private static double[] percent(long[] histogram, int used) {
        double all = Math.max(1, LongStream.of(histogram).sum());
        return LongStream.of(histogram)
                .limit(used)
                .mapToDouble(count -> 100 * count / all)
                .toArray();
    }

    private static void chart(
            StringBuilder page, RetrySimulation simulation, String caption, Function<Tally.Course, double[]> values) {
        List<SvgChart.Line> lines = new ArrayList<>();
        simulation
                .results()
                .forEach(result -> lines.add(new SvgChart.Line(result.name(), values.apply(result.course()))));
        figure(
                page,
                caption,
                SvgChart.overTime(caption, simulation.scenario().duration().toMillis() / 1e3, lines));
    }

    private static void figure(StringBuilder page, String caption, String svg) {
        page.append("<figure>\n<figcaption>")
                .append(escape(caption))
                .append("</figcaption>\n")
                .append(svg)
                .append("</figure>\n");
    }

    /** The beginning of a page, up to its heading. */
    static StringBuilder begun(String title) {
        return new StringBuilder()
                .append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src"
                        + " 'unsafe-inline'\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(escape(title))
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<h1>")
                .append(escape(title))
                .append("</h1>\n");
    }

    private static double[] rate(long[] counts, double seconds) {
        double[] rates = new double[counts.length];
        for (int i = 0; i < counts.length; i++) {
            rates[i] = counts[i] / seconds;
        }
        return rates;
    }

    static String escape(String text) {
        return ForeignText.line(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
