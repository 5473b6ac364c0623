package dev.poolkeeper.lab.retries;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A simulation as one page: the table, and charts over time. No scripts, and nothing is loaded from anywhere. */
public final class HtmlPage {

    private static final String STYLE = """
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1b1b1b;
          background: #fff }
        table { border-collapse: collapse; margin: 1rem 0; font-size: .85rem; display: block; overflow-x: auto }
        th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid #ccc; white-space: nowrap }
        th:first-child, td:first-child { text-align: left }
        figure { margin: 2rem 0 } figcaption { font-weight: 600 } svg { width: 100%; height: auto }
        """;

    private HtmlPage() {}

    public static String of(RetrySimulation simulation) {
        String title = "Retries: " + escape(simulation.scenario().name());
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src"
                        + " 'unsafe-inline'\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(title)
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<h1>")
                .append(title)
                .append("</h1>\n<p>")
                .append(escape(simulation.scenario().description()))
                .append("</p>\n<p>Seed ")
                .append(simulation.seed())
                .append(".</p>\n");
        appendTable(page, SimulationText.rows(simulation));
        page.append("<p>±: half of the 95 % confidence interval.</p>\n");
        double seconds = simulation.scenario().duration().toNanos() / 1e9 / Tally.STRETCHES;
        chart(page, simulation, "Load on the backend: attempts a second", course -> rate(course.attempts(), seconds));
        chart(page, simulation, "Requests that succeed, a second", course -> rate(course.succeeded(), seconds));
        chart(page, simulation, "Retries a second", course -> rate(course.retries(), seconds));
        chart(page, simulation, "Retries that the budget refused, a second", course -> rate(course.refused(), seconds));
        return page.append("</body>\n</html>\n").toString();
    }

    private static void appendTable(StringBuilder page, List<List<String>> rows) {
        page.append("<table>\n");
        for (int row = 0; row < rows.size(); row++) {
            String cell = row == 0 ? "th" : "td";
            page.append("<tr>");
            rows.get(row)
                    .forEach(text -> page.append('<')
                            .append(cell)
                            .append('>')
                            .append(escape(text))
                            .append("</")
                            .append(cell)
                            .append('>'));
            page.append("</tr>\n");
        }
        page.append("</table>\n");
    }

    private static void chart(
            StringBuilder page, RetrySimulation simulation, String caption, Function<Tally.Course, double[]> values) {
        List<SvgChart.Line> lines = new ArrayList<>();
        simulation
                .results()
                .forEach(result -> lines.add(new SvgChart.Line(result.name(), values.apply(result.course()))));
        page.append("<figure>\n<figcaption>")
                .append(escape(caption))
                .append("</figcaption>\n")
                .append(SvgChart.of(caption, simulation.scenario().duration().toMillis() / 1e3, lines))
                .append("</figure>\n");
    }

    private static double[] rate(long[] counts, double seconds) {
        double[] rates = new double[counts.length];
        for (int i = 0; i < counts.length; i++) {
            rates[i] = counts[i] / seconds;
        }
        return rates;
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
