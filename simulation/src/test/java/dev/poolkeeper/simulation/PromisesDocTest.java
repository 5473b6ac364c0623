package dev.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.simulation.invariant.Invariant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of promises in {@code docs/reference/promises.md} says what the invariants say. */
class PromisesDocTest {

    private static String row(Invariant invariant) {
        String only = invariant.isAskedOf(UpdateModel.DIFF) ? "" : " *desired-state* only.";
        return "| %s | %s%s |".formatted(invariant.name(), invariant.promise(), only);
    }

    @Test
    void each_promise_is_a_row_of_the_page_in_the_same_words() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/reference/promises.md")).stream()
                .filter(line -> line.matches("\\| [SL][0-9]+ .*"))
                .map(line -> line.replace("`", ""))
                .toList();

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(Simulation.invariants().stream()
                        .map(PromisesDocTest::row)
                        .toList());
    }
}
