package dev.poolkeeper.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlFileTest {

    private static String faultOf(byte[] bytes) {
        try {
            return "none, read as " + YamlFile.document(bytes, "f");
        } catch (BadInputException e) {
            return e.getMessage();
        }
    }

    private static String faultOf(String text) {
        return faultOf(text.replace("\\n", "\n").replace("\\t", "\t").getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a: &x rg\\nb: *x | f: line 2, column 4: is neither YAML nor JSON: a YAML alias; write out the value",
                "a: &x {c: d}\\nb:\\n  <<: *x | f: line 3, column 7: is neither YAML nor JSON: a YAML alias; write out"
                        + " the value",
                "a: [&x rg, *x] | f: line 1, column 12: is neither YAML nor JSON: a YAML alias; write out the value",
            })
    @Rule(
            id = "I19",
            says = "An alias in a YAML file is rejected with its location; it is never read as the anchor's name.",
            source = "ours")
    void an_alias_is_refused(String text, String fault) {
        assertThat(faultOf(text)).isEqualTo(fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = true,
            value = {
                "a:\\n\\tb: c | line 2, column 1 | a tab; use spaces for indentation",
                "a: b: c | line 1, column 5 | an unexpected colon; put the text in quotes",
                "a: 1\\na: 2 | line 2, column 2 | \"a\" is set twice",
                "{\"a\": 1, \"a\": 2} | line 1, column 13 | \"a\" is set twice",
                "{\"a\": hu sh]} | line 1, column 7 | an unknown word; a text must be in double quotes",
                "a: \"hush | line 1, column 9 | ends in the middle of a value",
                "{\"a\": 1} {} | line 1, column 10 | must hold one document, holds more",
                "{\"a\": \"\\q\"} | line 1, column 9 | an unknown escape sequence in a text",
                "a: \"b\\qc\" | line 1, column 7 | an unknown escape sequence in a text",
                "{\"a\": ]} | line 1, column 7 | an unexpected character, ]",
                "a: \u0007b | line 1, column 1 | a control character",
                "{\"a\": \"\u0007\"} | line 1, column 8 | a control character",
                "a: 1\\nb | line 2, column 2 | a key without a colon",
                "- a\\nb: c | line 2, column 1 | is indented wrongly, or a colon or dash is missing",
                "a: [1 2 | line 1, column 8 | a bracket or a comma is missing",
                "% | line 1, column 2 | is not understood here",
                "a: 'b\\n--- c | line 2, column 1 | a quote is missing",
                "\\n {\"a\" 1} | line 2, column 7 | an unexpected character, 1",
            })
    void a_parser_error_is_reported_in_our_own_words(String text, String place, String words) {
        String fault = faultOf(text);

        assertThat(fault).isEqualTo("f: " + place + ": is neither YAML nor JSON: " + words);
    }

    @ParameterizedTest
    @CsvSource({
        "UTF-16LE,UTF-16",
        "UTF-16BE,UTF-16",
        "UTF-16,UTF-16",
        "x-UTF-16LE-BOM,UTF-16",
        "UTF-32,UTF-32",
        "UTF-32LE,UTF-32",
        "X-UTF-32BE-BOM,UTF-32",
        "X-UTF-32LE-BOM,UTF-32"
    })
    void another_encoding_is_reported(String charset, String name) {
        assertThat(faultOf("a: b".getBytes(Charset.forName(charset))))
                .isEqualTo("f: is neither YAML nor JSON: this is a " + name + " file, must be UTF-8");
    }

    @Test
    void gzip_and_other_binary_files_are_reported() {
        assertThat(faultOf(new byte[] {0x1f, (byte) 0x8b, 8, 0}))
                .isEqualTo("f: is neither YAML nor JSON: this is a gzip file, must be UTF-8");
        assertThat(faultOf(new byte[] {'a', ':', ' ', (byte) 0xe4}))
                .isEqualTo("f: is neither YAML nor JSON: is not UTF-8");
    }

    @Test
    void a_utf_8_byte_order_mark_is_skipped() throws BadInputException {
        assertThat(YamlFile.document("\uFEFFa: b".getBytes(StandardCharsets.UTF_8), "f")
                        .path("a")
                        .asText())
                .isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{a: b}", "{\"a\": \"b\"}", "a: b", "---\na: b\n"})
    void yaml_and_json_are_told_apart(String text) throws BadInputException {
        assertThat(YamlFile.document(text.getBytes(StandardCharsets.UTF_8), "f")
                        .path("a")
                        .asText())
                .isEqualTo("b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a: | {\"a\":null}",
                "a: ~ | {\"a\":null}",
                "a: null | {\"a\":null}",
                "a:\\n- \\n- b | {\"a\":[null,\"b\"]}",
                "a: {b: , c: d} | {\"a\":{\"b\":null,\"c\":\"d\"}}",
                "a: '' | {\"a\":\"\"}",
                "a: \"\" | {\"a\":\"\"}",
                "a: 'null' | {\"a\":\"null\"}",
                "a: !!str | {\"a\":\"\"}",
            },
            quoteCharacter = '`')
    void a_value_that_is_not_written_is_null(String text, String read) throws BadInputException {
        byte[] bytes = text.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8);
        assertThat(YamlFile.document(bytes, "f")).hasToString(read);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a: 1\n---\n", "---\n---\na: 1\n", "a: 1\n---\n# a comment\n", "---\nnull\n---\na: 1\n---\n~\n"})
    void documents_without_content_do_not_count(String text, @TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("f"), text);
        assertThat(YamlFile.document(file, 100)).hasToString("{\"a\":1}");
        assertThat(YamlFile.documents(file, 100)).hasSize(1);
    }

    @Test
    void every_document_of_a_file_is_read_in_order(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("f"), "--- {a: 1}\n--- {b: 2}\n--- {c: 3}\n");
        assertThat(YamlFile.documents(file, 100)).hasToString("[{\"a\":1}, {\"b\":2}, {\"c\":3}]");
        assertThatThrownBy(() -> YamlFile.document(file, 100)).hasMessage(file + ": must hold one document, holds 3");
    }

    @Test
    void a_second_document_is_not_dropped_though_both_are_in_braces() {
        assertThat(faultOf("{a: b}\n---\n{c: d}\n"))
                .isEqualTo("f: line 1, column 2: is neither YAML nor JSON: an unexpected character, a");
    }

    /** Messages of parsers, without class names, options and further lines. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[",
                "{\"a\":}",
                "{'a': 1}",
                "{\"a\": 01}",
                "{\"a\": NaN}",
                "{\"a\": \"\\q\"}",
                "{\"a\": 1,}",
                "{\"a\" 1}",
                "a: [",
                "a: {",
                "a: 'b",
                "- a\nb: c",
                "%",
                "@",
                "`",
                "a: !!hush hush: hush",
                "a: *hush",
                "? [",
                "a\n b: c: d",
                "{\"a\": \"x\ny\"}",
                "/* a */ {}",
                "{\"a\": 1} {}",
                "--- a\n--- b\n",
                "&",
                "*",
                "!",
                "|x",
                ">x"
            })
    void no_library_messages_are_shown(String text) {
        String fault = faultOf(text.getBytes(StandardCharsets.UTF_8));

        assertThat(fault)
                .doesNotContain(
                        "Feature", "Exception", "Source", "com.", "org.", "(code", "token", "Token", "<", "hush")
                .doesNotContain("\n");
    }

    @Test
    void deep_nesting_is_refused_in_our_own_words() {
        assertThat(faultOf("{\"a\":".repeat(2_000)))
                .contains("nested too deeply")
                .doesNotContain("Stream");
        assertThat(faultOf("{\"a\": " + "9".repeat(5_000) + "}"))
                .contains("too long")
                .doesNotContain("Stream");
    }

    @Test
    void a_missing_file_is_named() {
        assertThatThrownBy(() -> YamlFile.document(Path.of("no-such-file"), 10))
                .hasMessage("no-such-file: there is no such file");
    }

    @Test
    void a_file_that_cannot_be_looked_up_is_not_said_to_be_missing(@TempDir Path folder) throws IOException {
        Path loop = folder.resolve("loop");
        Files.createSymbolicLink(loop, loop);

        assertThatThrownBy(() -> YamlFile.document(loop, 10))
                .message()
                .startsWith(loop + ": cannot be read: ")
                .doesNotContain("no such file");
    }
}
