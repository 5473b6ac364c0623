package dev.poolkeeper.app.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.app.config.KeySchema;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The part about {@code config} in {@code values.schema.json} is generated from the declarations of the keys. This test
 * generates it and compares; with {@code -Ddocs.update} it writes it.
 */
class ChartSchemaTest {

    private static final Path SCHEMA = Chart.FOLDER.resolve("values.schema.json");

    @Test
    @Rule(
            id = "H12",
            says = "The chart's schema for config allows exactly what the daemon reads: the same keys, types and"
                    + " bounds.",
            source = "ours")
    void the_charts_schema_allows_every_key_the_daemon_reads() throws IOException {
        String text = Files.readString(SCHEMA);
        ObjectNode schema = (ObjectNode) new ObjectMapper().readTree(text);
        ((ObjectNode) schema.path("properties")).set("config", KeySchema.ofTheChartsConfig());
        String expected = printed(schema);

        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(SCHEMA, expected);
        }

        assertThat(Files.readString(SCHEMA)).isEqualTo(expected);
    }

    private static String printed(ObjectNode schema) throws IOException {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(
                        Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                .withObjectIndenter(new DefaultIndenter("  ", "\n"))
                .withArrayIndenter(new DefaultIndenter("  ", "\n"));
        return new ObjectMapper().writer(printer).writeValueAsString(schema) + "\n";
    }
}
