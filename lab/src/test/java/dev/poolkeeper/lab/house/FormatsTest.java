package dev.poolkeeper.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The libraries run in processes whose locale is not ours to set. There {@code %d} and {@code %f} print other digits,
 * and {@code toLowerCase()} other letters: whole numbers are formatted by {@code %s}, everything else with a locale.
 */
class FormatsTest {

    private static final Pattern STATEMENT_END = Pattern.compile("(?<=[;{}])\\s*\\n");
    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"");
    private static final Pattern LOCALIZED = Pattern.compile("%(?:\\d+\\$)?[-#+ 0,(]*\\d*(?:\\.\\d+)?[dfeEgGtT]");
    private static final Pattern CASE = Pattern.compile("\\.to(?:Lower|Upper)Case\\(\\)");

    private static List<String> localized(String source) {
        List<String> found = new ArrayList<>();
        for (String statement : STATEMENT_END.split(source)) {
            boolean formats = statement.contains("ormat") && !statement.contains("Locale.ROOT");
            boolean isLocalized = formats
                    && LITERAL.matcher(statement)
                            .results()
                            .anyMatch(literal -> LOCALIZED
                                    .matcher(literal.group().replace("%%", ""))
                                    .find());
            if (isLocalized || CASE.matcher(statement).find()) {
                found.add(statement.strip());
            }
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ports", "input", "core", "adapter-azure", "adapter-k8s", "adapter-fake", "emulators", "app"})
    void no_library_formats_by_the_locale_of_the_process(String module) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(Path.of("..", module, "src/main/java"))) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            assertThat(localized(Files.readString(file))).as(file.toString()).isEmpty();
        }
    }

    @Test
    void offenders_are_found() {
        assertThat(localized("a();\nString s = \"%d of %s\".formatted(a, b);\nb();\n"))
                .hasSize(1);
        assertThat(localized("String s = \"%,.1f\"\n + x.formatted(a);\n")).hasSize(1);
        assertThat(localized("String s = a.toLowerCase();\n")).hasSize(1);
        assertThat(localized("String s = String.format(Locale.ROOT, \"%d\", a);\n"))
                .isEmpty();
        assertThat(localized("String s = \"100 %% done, %s\".formatted(a);\n")).isEmpty();
    }
}
