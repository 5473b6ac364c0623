package dev.poolkeeper.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.app.config.Configuration.EffectiveValue;
import dev.poolkeeper.app.config.Key.Trait;
import dev.poolkeeper.app.config.NumberTypes.Seconds;
import dev.poolkeeper.app.config.NumberTypes.Whole;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeysTest {

    @TempDir
    private Path folder;

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    @Test
    @Rule(
            id = "N2",
            says = "A configuration key is declared once: reading it, its faults, check-config, the suggestion for a"
                    + " misspelling, its row in the documentation and the chart's schema follow from that"
                    + " declaration.",
            source = "ours")
    void a_new_key_is_one_declaration() throws Exception {
        // given
        Section later = new Section("later", false);
        Key<Integer> gather = later.key("gatherInMilliseconds", new Whole(0, 60_000), "waits for more changes")
                .with(Trait.LIVE)
                .or(1_000);
        Key<Duration> window = later.key("brake.windowInSeconds", new Seconds(1, 3_600), "what adds up")
                .or("the interval", settings -> Setting.byDefault(Duration.ofSeconds(30)));
        FaultCollector faults = new FaultCollector("f.yaml");
        List<String> warnings = new ArrayList<>();

        // when
        ObjectNode typed = (ObjectNode)
                new ObjectMapper().readTree("{\"GATHERinMilliseconds\": 60001, \"brake\": {\"windowInSecond\": 7}}");
        ObjectNode fields = new KeySpelling(List.of(later), Path.of("f.yaml"), faults, warnings).spelt(typed);
        Settings settings = Settings.read(JsonObject.of(fields, "", faults), Path.of("f.yaml"), Map.of(), later.keys());

        // then
        assertThat(settings.get(gather)).isEqualTo(1_000);
        assertThat(settings.get(window)).isEqualTo(Duration.ofSeconds(30));
        assertThat(faults.faults())
                .extracting(Object::toString)
                .containsExactly("f.yaml: gatherInMilliseconds: found 60001, must be a whole number from 0 to 60000");
        assertThat(warnings)
                .containsExactly(
                        "f.yaml: brake.windowInSecond: unknown key, ignored; did you mean" + " brake.windowInSeconds?");
        assertThat(settings.effective())
                .containsExactly(
                        new EffectiveValue("gatherInMilliseconds", "1000", "default"),
                        new EffectiveValue("brake.windowInSeconds", "30", "default"));
        assertThat(ConfigurationPage.filled("<!-- keys: later -->\n<!-- end -->\n", List.of(later)))
                .contains("| `gatherInMilliseconds` * | waits for more changes | 0 to 60000 | `1000` |")
                .contains("| `brake.windowInSeconds` | what adds up | 1 to 3600 | the interval |");
        assertThat(KeySchema.of(later.keys())
                        .at("/properties/brake/properties/windowInSeconds/maximum")
                        .asInt())
                .isEqualTo(3_600);
    }

    /** With {@code -Ddocs.update} the page is written. */
    @Test
    void the_configuration_page_matches_the_declared_keys() throws IOException {
        String page = Files.readString(PAGE);
        String filled = ConfigurationPage.filled(page, Keys.sections());

        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(PAGE, filled);
        }

        assertThat(Files.readString(PAGE)).isEqualTo(filled);
        assertThat(Keys.sections())
                .allSatisfy(section -> assertThat(page).contains("<!-- keys: " + section.name() + " -->"));
    }

    @Test
    void every_key_has_a_unique_name() {
        assertThat(Keys.all())
                .extracting(key -> key.name().toLowerCase(Locale.ROOT))
                .doesNotHaveDuplicates();
        assertThat(Keys.all())
                .allSatisfy(
                        key -> assertThat(PassedOverKeys.contains(key.name())).isFalse());
    }

    static Stream<String> names() {
        return Keys.all().stream().map(Key::name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void a_key_that_is_null_or_empty_counts_as_absent(String name) throws Exception {
        List<EffectiveValue> absent = effective("{}");
        String[] parts = name.split("\\.");
        if (parts.length > 1) {
            assertThat(effective("{\"" + parts[0] + "\": null}")).isEqualTo(absent);
        }
        if (parts[0].equals("retryConstraint")) {
            return; // whose presence sets a budget, whatever it holds
        }
        for (String value : List.of("null", "\"\"", "\"  \"")) {
            String fields = "\"" + parts[parts.length - 1] + "\": " + value;
            for (int i = parts.length - 2; i >= 0; i--) {
                fields = "\"" + parts[i] + "\": {" + fields + "}";
            }
            assertThat(effective("{" + fields + "}")).as(value).isEqualTo(absent);
        }
        if (parts.length > 1) {
            assertThat(effective("{\"" + parts[0] + "\": {}}")).isEqualTo(absent);
        }
    }

    private List<EffectiveValue> effective(String file) throws Exception {
        Path written = Files.writeString(folder.resolve("poolkeeper.json"), file);
        return ConfigurationReader.read(written, Map.of()).values();
    }
}
