package dev.poolkeeper.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A table of the figures next to those of the Go updater. */
final class MarkdownTable {

    private MarkdownTable() {}

    static List<String> lines(List<Measured> results) {
        Properties go = GoFigures.load();
        List<String> lines = new ArrayList<>();
        lines.add("JDK %s, %d processors"
                .formatted(Runtime.version().feature(), Runtime.getRuntime().availableProcessors()));
        lines.add("");
        lines.add("| benchmark | Poolkeeper | bytes allocated | Go | Go / Poolkeeper |");
        lines.add("|---|---:|---:|---:|---:|");
        for (Measured result : results) {
            lines.add("| %s | %s | %s | %s |"
                    .formatted(
                            result.id(),
                            number(result.value()) + " " + result.unit(),
                            result.bytesPerOp() == null ? "" : String.format(Locale.ROOT, "%,d", result.bytesPerOp()),
                            beside(result, go.getProperty(result.id()))));
        }
        return lines;
    }

    private static String beside(Measured result, @Nullable String go) {
        if (go == null) {
            return " | ";
        }
        double value = Double.parseDouble(go);
        return number(value) + " " + result.unit() + " | " + number(value / result.value());
    }

    /** Formats with three significant digits. */
    private static String number(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
