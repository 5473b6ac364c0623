package dev.poolkeeper.benchmarks;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Groups of horizontal bars as SVG; each group has its own scale, and each bar shows its value. Not thread-safe. */
final class BarChart {

    private static final int WIDTH = 900;
    private static final int LEFT = 170;
    private static final int LONGEST = 600;
    private static final int BAR = 16;
    private static final int HEAD = 30;

    private final String title;
    private final Map<String, Map<String, Double>> groups = new LinkedHashMap<>();

    BarChart(String title) {
        this.title = title;
    }

    void bar(String group, String name, double value) {
        groups.computeIfAbsent(group, key -> new LinkedHashMap<>()).put(name, value);
    }

    String svg() {
        StringBuilder body = new StringBuilder();
        int y = HEAD + 10;
        for (Map.Entry<String, Map<String, Double>> group : groups.entrySet()) {
            body.append(text(10, y, "bold", group.getKey()));
            y += 8;
            double most = group.getValue().values().stream()
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(0);
            for (Map.Entry<String, Double> bar : group.getValue().entrySet()) {
                double length = most == 0 ? 0 : LONGEST * bar.getValue() / most;
                body.append(text(10, y + BAR - 4, "normal", bar.getKey()));
                body.append("<rect x=\"%d\" y=\"%d\" width=\"%s\" height=\"%d\" fill=\"%s\"/>%n"
                        .formatted(LEFT, y, decimals(length), BAR - 3, colour(bar.getKey())));
                body.append(text((int) (LEFT + length + 6), y + BAR - 4, "normal", decimals(bar.getValue())));
                y += BAR;
            }
            y += HEAD;
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
            <title>%s</title>
            <rect width="100%%" height="100%%" fill="#fff"/>
            %s%s</svg>
            """.formatted(WIDTH, y, title, text(10, 18, "bold", title), body);
    }

    private static String colour(String name) {
        return name.equals("eager") ? "#0072b2" : "#b0b0b0";
    }

    private static String text(int x, int y, String weight, String words) {
        return "<text x=\"%d\" y=\"%d\" font-weight=\"%s\">%s</text>%n".formatted(x, y, weight, words);
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
