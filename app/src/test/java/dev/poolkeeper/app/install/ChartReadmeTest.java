package dev.poolkeeper.app.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of values in the chart's README against {@code values.yaml}. */
class ChartReadmeTest {

    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| .* \\| `(.*)` \\|");
    private static final YAMLMapper YAML = new YAMLMapper();

    @Test
    void the_readme_lists_every_value_and_its_default() throws IOException {
        JsonNode values = YAML.readTree(Chart.FOLDER.resolve("values.yaml").toFile());
        List<String> documented = new ArrayList<>();
        for (String line : Files.readAllLines(Chart.FOLDER.resolve("README.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                JsonNode value = values.at("/" + row.group(1).replace('.', '/'));
                assertThat(YAML.readTree(row.group(2))).as(row.group(1)).isEqualTo(value);
                documented.add(row.group(1));
            }
        }

        assertThat(leaves(values, ""))
                .allSatisfy(leaf ->
                        assertThat(documented).anyMatch(value -> leaf.equals(value) || leaf.startsWith(value + ".")));
    }

    private static List<String> leaves(JsonNode node, String place) {
        if (!node.isObject() || node.isEmpty()) {
            return List.of(place);
        }
        List<String> leaves = new ArrayList<>();
        node.properties()
                .forEach(field -> leaves.addAll(
                        leaves(field.getValue(), place.isEmpty() ? field.getKey() : place + "." + field.getKey())));
        return leaves;
    }
}
