package dev.poolkeeper.app.status;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A line chart of the last hour, drawn by {@code chart.mustache}, {@value #WIDTH} wide and {@value #HEIGHT} high.
 *
 * @param title the title
 * @param inWords a description for screen readers
 * @param line the points of the line in SVG's format
 */
record Chart(String title, String inWords, String line) {

    static final int WIDTH = 360;
    static final int HEIGHT = 60;

    /**
     * @param moments oldest first
     * @param unit appended to numbers, empty for none
     */
    static Chart of(
            String title,
            String unit,
            List<RecentHour.Moment> moments,
            ToDoubleFunction<RecentHour.Moment> value,
            Instant now) {
        double highest = moments.stream().mapToDouble(value).max().orElse(0);
        double last = moments.isEmpty() ? 0 : value.applyAsDouble(moments.getLast());
        String line = moments.stream()
                .map(moment -> point(moment.at(), now, value.applyAsDouble(moment) / Math.max(highest, 1)))
                .collect(Collectors.joining(" "));
        return new Chart(title, "%s%s last, %s%s at most".formatted(number(last), unit, number(highest), unit), line);
    }

    private static String point(Instant at, Instant now, double share) {
        double age = (double) Duration.between(at, now).toMillis() / RecentHour.LENGTH.toMillis();
        return String.format(Locale.ROOT, "%.1f,%.1f", WIDTH * (1 - age), HEIGHT - 1 - (HEIGHT - 2) * share);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }
}
