package dev.poolkeeper.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonEscapesTest {

    /** Texts, and how they are written. */
    private static final Map<String, String> WRITTEN = Map.of(
            "a é漢 ", "a é漢 ",
            "\"\\", "\\\"\\\\",
            "\n\t\u0000", "\\n\\t\\u0000",
            "\u001b[2J", "\\u001B[2J",
            "\u007f", "\\u007F",
            "\u009b", "\\u009b",
            "\u202e", "\\u202e",
            "\u2028\u2029", "\\u2028\\u2029",
            "\ud83d\ude00", "\\ud83d\\ude00",
            "\ud83d", "\\ud83d");

    @Test
    void what_is_unsafe_on_a_terminal_is_escaped_and_reads_the_same() throws Exception {
        ObjectMapper mapper = new JsonMapper();
        mapper.getFactory().setCharacterEscapes(new JsonEscapes());
        for (Map.Entry<String, String> each : WRITTEN.entrySet()) {
            StringWriter json = new StringWriter();
            mapper.writeValue(json, each.getKey());
            assertThat(json).hasToString("\"" + each.getValue() + "\"");
            assertThat(mapper.readValue(json.toString(), String.class)).isEqualTo(each.getKey());
        }
    }
}
