package dev.poolkeeper.lab.retries;

import java.util.List;
import java.util.Locale;

/** Lines over time as SVG. */
final class SvgChart {

    /**
     * One line.
     *
     * @param name what it shows
     * @param values one a stretch of time
     */
    record Line(String name, double[] values) {}

    private static final int WIDTH = 960;
    private static final int HEIGHT = 300;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int TOP = 14;
    private static final int BOTTOM = 60;
    private static final int GRID = 5;

    /**
     * Colours that people with a colour vision deficiency can distinguish (Okabe and Ito), each with a dash of its own.
     */
    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#7f7f7f");

    private static final List<String> DASHES = List.of("none", "9 4", "3 3", "12 3 3 3");

    private SvgChart() {}

    static String of(String label, double seconds, List<Line> lines) {
        double most = nice(
                lines.stream().mapToDouble(line -> max(line.values())).max().orElse(0));
        StringBuilder svg = new StringBuilder();
        svg.append(format(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\" font-size=\"12\">%n",
                WIDTH, HEIGHT, HtmlPage.escape(label)));
        for (int i = 0; i <= GRID; i++) {
            double y = y(most * i / GRID, most);
            svg.append(format(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", LEFT, WIDTH - RIGHT, y, y));
            svg.append(format(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
                    LEFT - 8, y + 4, number(most * i / GRID)));
            double x = LEFT + (WIDTH - LEFT - RIGHT) * i / (double) GRID;
            svg.append(format(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s s</text>%n",
                    x, HEIGHT - BOTTOM + 20, number(seconds * i / GRID)));
        }
        for (int i = 0; i < lines.size(); i++) {
            appendLine(svg, lines.get(i), i, most);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void appendLine(StringBuilder svg, Line line, int index, double most) {
        String stroke = format(
                "stroke=\"%s\" stroke-dasharray=\"%s\"",
                COLOURS.get(index % COLOURS.size()), DASHES.get(index % DASHES.size()));
        svg.append("<polyline fill=\"none\" stroke-width=\"2\" ").append(stroke).append(" points=\"");
        for (int i = 0; i < line.values().length; i++) {
            double x = LEFT + (WIDTH - LEFT - RIGHT) * (i + 0.5) / line.values().length;
            svg.append(format("%.1f,%.1f ", x, y(line.values()[i], most)));
        }
        svg.append(format("\"/>%n"));
        int column = (WIDTH - LEFT - RIGHT) / 4;
        int x = LEFT + index % 4 * column;
        int y = HEIGHT - 24 + index / 4 * 14;
        svg.append(format(
                "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke-width=\"2\" %s/>", x, x + 24, y, y, stroke));
        svg.append(format("<text x=\"%d\" y=\"%d\">%s</text>%n", x + 30, y + 4, HtmlPage.escape(line.name())));
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

    /** The next 1, 2 or 5 times a power of ten. */
    private static double nice(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        double digit = value / power;
        return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? format("%.0f", value)
                : format("%.4g", value).replaceAll("\\.?0+$", "");
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
