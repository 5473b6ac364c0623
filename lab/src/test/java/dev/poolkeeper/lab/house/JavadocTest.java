package dev.poolkeeper.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Within a line, {@code javadoc} reads a block tag such as {@code @param} as text. */
class JavadocTest {

    private static final Pattern TAG_WITHIN_A_LINE =
            Pattern.compile("(?m)^\\s*(/\\*\\*|\\*) .*[^{\\s]\\s+@(param|return|throws|see) .*$");

    private static List<String> tagsWithinLines(String source) {
        return TAG_WITHIN_A_LINE
                .matcher(source)
                .results()
                .map(found -> found.group().strip())
                .toList();
    }

    @Test
    void block_tags_start_a_line() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path sources : modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(sources)) {
                    for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                            .toList()) {
                        assertThat(tagsWithinLines(Files.readString(file)))
                                .as(file.toString())
                                .isEmpty();
                    }
                }
            }
        }
    }

    @Test
    void a_tag_within_a_line_is_found() {
        assertThat(tagsWithinLines("    /** Opens it. @throws IOException if it is gone */"))
                .hasSize(1);
        assertThat(tagsWithinLines(" * The name. @param name the\n *     name")).hasSize(1);
        assertThat(tagsWithinLines(" * @param name the name\n /** @return it */"))
                .isEmpty();
    }
}
