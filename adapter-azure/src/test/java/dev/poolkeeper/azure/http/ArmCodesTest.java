package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ArmCodesTest {

    private static final Pattern CODE = Pattern.compile("`([A-Z][A-Za-z]+)`");

    @Test
    void the_page_about_failures_lists_the_codes_of_the_table_and_no_others() throws Exception {
        // given
        Set<String> listed = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "failures.md"))) {
            if (line.startsWith("| Failed |")) {
                Matcher codes = CODE.matcher(line);
                while (codes.find()) {
                    listed.add(codes.group(1));
                }
            }
        }
        // then
        assertThat(listed).isEqualTo(new TreeSet<>(ArmCodes.codes()));
    }
}
