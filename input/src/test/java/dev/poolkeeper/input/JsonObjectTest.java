package dev.poolkeeper.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonObjectTest {

    private final FaultCollector faults = new FaultCollector("file");

    /** The ways to read a field. */
    private enum Way {
        STRING {
            @Override
            Object read(JsonObject object) {
                return String.valueOf(object.optionalString("f"));
            }
        },
        NEEDED_STRING {
            @Override
            Object read(JsonObject object) {
                return object.requiredString("f");
            }
        },
        WHOLE {
            @Override
            Object read(JsonObject object) {
                return object.wholeNumber("f", -1, 9);
            }
        },
        NEEDED_WHOLE {
            @Override
            Object read(JsonObject object) {
                return object.requiredWholeNumber("f", 1, Long.MAX_VALUE);
            }
        },
        NUMBER {
            @Override
            Object read(JsonObject object) {
                return object.number("f");
            }
        },
        TRUTH {
            @Override
            Object read(JsonObject object) {
                return object.truth("f");
            }
        },
        OBJECT {
            @Override
            Object read(JsonObject object) {
                return object.object("f").node();
            }
        },
        OBJECTS {
            @Override
            Object read(JsonObject object) {
                return object.objects("f").stream().map(JsonObject::node).toList();
            }
        },
        STRINGS {
            @Override
            Object read(JsonObject object) {
                return object.strings("f");
            }
        };

        abstract Object read(JsonObject object);
    }

    private JsonObject object(String json) throws Exception {
        return JsonObject.of((ObjectNode) new ObjectMapper().readTree(json), "", faults);
    }

    private String problems() {
        return faults.faults().stream()
                .map(fault -> fault.place() + ": " + fault.problem())
                .collect(Collectors.joining("; "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        STRING        | "a"        | a                   | ``
        STRING        | ""         | ``                  | ``
        STRING        | 7          | null                | f: found 7, must be a string
        STRING        | ["a"]      | null                | f: found ["a"], must be a string
        NEEDED_STRING | "a"        | a                   | ``
        NEEDED_STRING | " a "      | ` a `               | ``
        NEEDED_STRING | ""         | ``                  | f: is blank, must not be blank
        NEEDED_STRING | " "        | ``                  | f: is blank, must not be blank
        NEEDED_STRING | 7          | ``                  | f: found 7, must be a string
        WHOLE         | -1         | OptionalLong[-1]    | ``
        WHOLE         | 9          | OptionalLong[9]     | ``
        WHOLE         | -2         | OptionalLong.empty  | f: found -2, must be a whole number from -1 to 9
        WHOLE         | 10         | OptionalLong.empty  | f: found 10, must be a whole number from -1 to 9
        WHOLE         | 1.0        | OptionalLong.empty  | f: found 1.0, must be a whole number from -1 to 9
        WHOLE         | "1"        | OptionalLong.empty  | f: found "1", must be a whole number from -1 to 9
        NEEDED_WHOLE  | 9223372036854775807 | OptionalLong[9223372036854775807] | ``
        NEEDED_WHOLE  | 9223372036854775808 | OptionalLong.empty | f: found 9223372036854775808, must be a whole number of 1 or more
        NEEDED_WHOLE  | 0          | OptionalLong.empty  | f: found 0, must be a whole number of 1 or more
        NUMBER        | 0          | OptionalDouble[0.0] | ``
        NUMBER        | -1.5       | OptionalDouble[-1.5] | ``
        NUMBER        | "1"        | OptionalDouble.empty | f: found "1", must be a number
        TRUTH         | true       | true                | ``
        TRUTH         | false      | false               | ``
        TRUTH         | "true"     | false               | f: found "true", must be true or false
        TRUTH         | 1          | false               | f: found 1, must be true or false
        OBJECT        | {"g":null} | {"g":null}          | ``
        OBJECT        | []         | {}                  | f: found [], must be an object
        OBJECT        | ""         | {}                  | f: found "", must be an object
        OBJECTS       | [{"g":1},{}] | [{"g":1}, {}]     | ``
        OBJECTS       | [{"g":1},null,2] | [{"g":1}]     | f[1]: found null, must be an object; f[2]: found 2, must be an object
        OBJECTS       | {}         | []                  | f: found {}, must be an array
        STRINGS       | ["a",""]   | [a, ]               | ``
        STRINGS       | ["a",null,7,["b"]] | [a]         | f[1]: found null, must be a string; f[2]: found 7, must be a string; f[3]: found ["b"], must be a string
        STRINGS       | "a"        | []                  | f: found "a", must be an array
        """)
    void each_kind_of_value_is_read_or_reported(Way way, String json, String value, String problems) throws Exception {
        assertThat(way.read(object("{\"f\": " + json + "}"))).hasToString(value);
        assertThat(problems()).isEqualTo(problems);
    }

    @ParameterizedTest
    @EnumSource
    void a_null_value_is_read_as_an_absent_one(Way way) throws Exception {
        Object absent = way.read(object("{}"));
        String problems = problems();
        assertThat(way.read(object("{\"f\": null}"))).isEqualTo(absent);
        assertThat(problems()).as("the same faults, which count once").isEqualTo(problems);
        assertThat(absent.toString())
                .isIn("null", "", "OptionalLong.empty", "OptionalDouble.empty", "false", "{}", "[]");
        assertThat(problems)
                .isEqualTo(
                        switch (way) {
                            case NEEDED_STRING -> "f: is missing, must be a string";
                            case NEEDED_WHOLE -> "f: is missing, must be a whole number of 1 or more";
                            default -> "";
                        });
    }

    @Test
    void a_field_is_there_unless_it_is_null() throws Exception {
        JsonObject object = object("{\"a\": null, \"b\": \"\", \"c\": false, \"d\": {}}");
        assertThat(List.of("a", "b", "c", "d", "e")).filteredOn(object::has).containsExactly("b", "c", "d");
    }

    @Test
    void a_fault_names_each_level() throws Exception {
        ObjectNode document = object("{\"a\": {\"b\": [{}, {\"c\": 1}]}}").node();
        JsonObject.of(document, "document 2:", faults)
                .object("a")
                .objects("b")
                .forEach(each -> each.optionalString("c"));
        JsonObject.of(document, "items[3]", faults).object("a").allowOnly(List.of("x", "y"));
        assertThat(problems())
                .isEqualTo("document 2: a.b[1].c: found 1, must be a string;"
                        + " items[3].a.b: unknown key, must be one of x, y");
    }

    @ParameterizedTest
    @ValueSource(ints = {38, 39})
    void a_value_is_shown_with_40_characters_at_most(int letters) throws Exception {
        object("{\"f\": \"" + "a".repeat(letters) + "\"}").truth("f");
        assertThat(problems())
                .isEqualTo(
                        "f: found \"" + "a".repeat(letters) + (letters > 38 ? "…" : "\"") + ", must be true or false");
    }
}
