package dev.poolkeeper.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** CI runs reviewed code only: actions pinned by commit, with read-only permissions. */
class WorkflowsTest {

    private static final Pattern PINNED = Pattern.compile("^\\s*(- )?uses: [\\w./-]+@[0-9a-f]{40} # v\\d\\S*$");

    private static boolean isPinned(String line) {
        return PINNED.matcher(line).matches();
    }

    private static List<Path> workflows() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../.github/workflows"))) {
            return files.toList();
        }
    }

    @Test
    void every_action_is_pinned_to_a_commit() throws IOException {
        for (Path workflow : workflows()) {
            List<String> uses = Files.readAllLines(workflow).stream()
                    .filter(line -> line.contains("uses:"))
                    .toList();

            assertThat(uses).as(workflow.toString()).isNotEmpty().allMatch(WorkflowsTest::isPinned);
        }
        assertThat(isPinned("      - uses: actions/checkout@v7")).isFalse();
        assertThat(isPinned("      - uses: actions/checkout@main # v7.0.1")).isFalse();
    }

    @Test
    void every_workflow_has_read_only_permissions() throws IOException {
        for (Path workflow : workflows()) {
            assertThat(Files.readString(workflow)).as(workflow.toString()).contains("permissions:\n  contents: read\n");
        }
    }
}
