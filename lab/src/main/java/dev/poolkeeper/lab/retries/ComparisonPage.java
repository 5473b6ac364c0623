package dev.poolkeeper.lab.retries;

import dev.poolkeeper.lab.retries.PolicySpread.Range;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A page that compares measurements on real traffic with the simulation's predictions for the same policy. */
public final class ComparisonPage {

    private static final String EXPLANATION =
            "Predictions are computed by simulate-retries from the measured rate of requests, share of attempts that"
                + " succeed, durations of attempts and the route's policy, with a separate budget for the route: the"
                + " median of 20 seeds, and the range of 95 %. A measured value outside is worth a look: failures may"
                + " be correlated, or the backend slows down under load.";

    private ComparisonPage() {}

    /**
     * One route.
     *
     * @param name the name of the route
     * @param settings its policy and budget
     * @param measured its measurements
     */
    public record Route(String name, RetrySettings settings, Measured measured) {}

    /** @param since the duration of the measurement */
    public static String of(List<Route> routes, Duration since) {
        StringBuilder page = HtmlPage.begun("Measured and predicted");
        page.append("<p>").append(HtmlPage.escape(EXPLANATION)).append("</p>\n<p>Measured for ");
        page.append(since.toSeconds()).append(" s.</p>\n");
        if (routes.isEmpty()) {
            page.append("<p>No requests yet.</p>\n");
        }
        for (Route route : routes) {
            page.append("<h2>").append(HtmlPage.escape(route.name())).append("</h2>\n");
            HtmlPage.appendTable(page, PolicyTable.rows(route.settings()));
            HtmlPage.appendTable(page, rows(route));
        }
        return page.append("</body>\n</html>\n").toString();
    }

    private static List<List<String>> rows(Route route) {
        Measured measured = route.measured();
        PolicySpread predicted =
                measured.predicted(route.name(), route.settings()).spreads().get(0);
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("FIGURE", "MEASURED", "PREDICTED"));
        rows.add(row(
                "EFFECTIVE_SUCCESS", "%.1f %%", 100 * measured.effectiveSuccess(), predicted.effectiveSuccess(), 100));
        rows.add(row("EFFECTIVE_RPS", "%.1f", measured.effectiveRps(), predicted.effectiveRps(), 1));
        rows.add(row("ACTUAL_SUCCESS", "%.1f %%", 100 * measured.actualSuccess(), predicted.actualSuccess(), 100));
        rows.add(row("ACTUAL_RPS", "%.1f", measured.actualRps(), predicted.actualRps(), 1));
        rows.add(row("LATENCY_P50", "%.1f ms", millis(measured.p50()), predicted.p50Millis(), 1));
        rows.add(row("LATENCY_P95", "%.1f ms", millis(measured.p95()), predicted.p95Millis(), 1));
        rows.add(row("LATENCY_P99", "%.1f ms", millis(measured.p99()), predicted.p99Millis(), 1));
        return rows;
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }

    private static List<String> row(String name, String format, double measured, Range predicted, double factor) {
        return List.of(
                name,
                String.format(Locale.ROOT, format, measured),
                String.format(
                        Locale.ROOT,
                        format + " (%.1f-%.1f)",
                        factor * predicted.median(),
                        factor * predicted.low(),
                        factor * predicted.high()));
    }
}
