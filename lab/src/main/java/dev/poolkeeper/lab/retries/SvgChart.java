package dev.poolkeeper.lab.retries;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** A line chart as SVG. Colours come from the page's style, which supports light and dark mode. */
final class SvgChart {

    /**
     * One line.
     *
     * @param name its label
     * @param values at equal distances
     */
    record Line(String name, double[] values) {}

    /**
     * A label on the horizontal axis.
     *
     * @param share its position, from 0 at the left to 1 at the right
     * @param text the label
     */
    record Tick(double share, String text) {}

    /** The number of line colours, chosen to be distinguishable with a colour vision deficiency (Okabe and Ito). */
    static final int COLOURS = 8;

    private static final List<String> DASHES = List.of("none", "9 4", "3 3", "12 3 3 3");

    private static final int WIDTH = 960;
    private static final int HEIGHT = 300;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int TOP = 14;
    private static final int BOTTOM = 44;
    private static final int TICKS = 5;
    private static final int LEGEND_COLUMNS = 3;
    private static final int LEGEND_LINE = 18;

    private SvgChart() {}

    /** A chart over time, starting at 0. */
    static String overTime(String label, double seconds, List<Line> lines) {
        double step = step(seconds);
        return of(
                label,
                IntStream.rangeClosed(0, (int) (seconds / step + 1e-9))
                        .mapToObj(i -> new Tick(i * step / seconds, number(i * step) + " s"))
                        .toList(),
                lines);
    }

    static String of(String label, List<Tick> ticks, List<Line> lines) {
        double highest =
                lines.stream().mapToDouble(line -> max(line.values())).max().orElse(0);
        double step = step(highest);
        double most = Math.max(1, Math.ceil(highest / step - 1e-9)) * step;
        int legend = (lines.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS * LEGEND_LINE;
        StringBuilder svg = new StringBuilder();
        svg.append(format(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\" font-size=\"13\">%n",
                WIDTH, HEIGHT + legend, HtmlPage.escape(label)));
        for (double value = 0; value <= most * (1 + 1e-9); value += step) {
            double y = y(value, most);
            svg.append(format(
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y, y));
            svg.append(format(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n", LEFT - 8, y + 4, number(value)));
        }
        for (Tick tick : ticks) {
            svg.append(format(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x(tick.share()), HEIGHT - BOTTOM + 20, HtmlPage.escape(tick.text())));
        }
        for (int i = 0; i < lines.size(); i++) {
            appendLine(svg, lines.get(i), i, most);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void appendLine(StringBuilder svg, Line line, int index, double most) {
        // the number of dash patterns divides the number of colours, so each round of colours starts with another dash
        String stroke = format(
                "class=\"c%d\" stroke-dasharray=\"%s\"",
                index % COLOURS, DASHES.get((index + index / COLOURS) % DASHES.size()));
        svg.append("<polyline fill=\"none\" stroke-width=\"2\" ").append(stroke).append(" points=\"");
        for (int i = 0; i < line.values().length; i++) {
            svg.append(format("%.1f,%.1f ", x((i + 0.5) / line.values().length), y(line.values()[i], most)));
        }
        svg.append(format("\"/>%n"));
        int x = LEFT + index % LEGEND_COLUMNS * ((WIDTH - LEFT - RIGHT) / LEGEND_COLUMNS);
        int y = HEIGHT + index / LEGEND_COLUMNS * LEGEND_LINE;
        svg.append(format(
                "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke-width=\"2\" %s/>", x, x + 36, y, y, stroke));
        svg.append(format("<text x=\"%d\" y=\"%d\">%s</text>%n", x + 42, y + 4, HtmlPage.escape(line.name())));
    }

    private static double x(double share) {
        return LEFT + (WIDTH - LEFT - RIGHT) * share;
    }

    private static double y(double value, double most) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / most;
    }

    private static double max(double[] values) {
        double max = 0;
        for (double value : values) {
            max = Math.max(max, value);
        }
        return max;
    }

    /** 1, 2 or 5 times a power of ten, so that there are about five steps. */
    static double step(double whole) {
        if (whole <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(whole / TICKS)));
        double digit = whole / TICKS / power;
        return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    }

    static String number(double value) {
        double rounded = Math.rint(value * 1e6) / 1e6;
        return rounded == Math.rint(rounded)
                ? format("%.0f", rounded)
                : format("%.4g", rounded).replaceAll("\\.?0+$", "");
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
