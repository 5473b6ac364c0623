package dev.poolkeeper.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JsonFileTest {

    @TempDir
    private Path folder;

    private static String read(byte[] bytes) throws IOException {
        try {
            return JsonFile.read(new ByteArrayInputStream(bytes), new FaultCollector("f"))
                    .node()
                    .toString();
        } catch (BadInputException e) {
            return e.getMessage();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"a": null}          | {"a":null}
        ``                   | f: is empty, must be an object
        null                 | f: found null, must be an object
        []                   | f: found [], must be an object
        "text"               | f: found "text", must be an object
        {"a": 1} {}          | f: line 1, column 10: is not JSON: must hold one document, holds more
        {"a": 1, "a": 2}     | f: line 1, column 13: is not JSON: "a" is set twice
        {"a": NaN}           | f: line 1, column 10: is not JSON: NaN and Infinity are not allowed
        {"a": Infinity}      | f: line 1, column 15: is not JSON: NaN and Infinity are not allowed
        {"a": 01}            | f: line 1, column 8: is not JSON: an invalid number
        {"a": 1,}            | f: line 1, column 9: is not JSON: an unexpected character, }
        {'a': 1}             | f: line 1, column 2: is not JSON: an unexpected character, '
        /* a */ {}           | f: line 1, column 1: is not JSON: an unexpected character, /
        {"a": tru}           | f: line 1, column 7: is not JSON: an unknown word; a text must be in double quotes
        {"a":                | f: line 1, column 6: is not JSON: ends in the middle of a value
        """)
    void one_object_is_read_and_all_else_refused(String text, String expected) throws Exception {
        assertThat(read(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(expected);
    }

    @Test
    void other_encodings_are_refused() throws Exception {
        assertThat(read("\uFEFF{}".getBytes(StandardCharsets.UTF_8))).isEqualTo("{}");
        assertThat(read("{\"a\": \"\u00e4\"}".getBytes(StandardCharsets.ISO_8859_1)))
                .isEqualTo("f: line 1, column 10: is not JSON: is not UTF-8");
        assertThat(read("{}".getBytes(StandardCharsets.UTF_16LE)))
                .isEqualTo("f: is not JSON: this is a UTF-16 file, must be UTF-8");
        assertThat(read(new byte[] {0x1f, (byte) 0x8b, 8, 0}))
                .isEqualTo("f: is not JSON: this is a gzip file, must be UTF-8");
    }

    @Test
    void a_file_may_be_as_large_as_the_limit() throws Exception {
        Path file = Files.writeString(folder.resolve("f"), "1234");
        assertThat(JsonFile.bytes(file, 4)).hasSize(4);
        assertThatThrownBy(() -> JsonFile.bytes(file, 3)).hasMessage(file + ": is larger than 3 bytes");
    }

    @Test
    void what_is_no_file_is_named() {
        FaultCollector faults = new FaultCollector("f");
        Path missing = folder.resolve("missing");
        Path device = Path.of("/dev/null");
        assertThatThrownBy(() -> JsonFile.read(folder, faults)).hasMessage(folder + ": is a directory, must be a file");
        assertThatThrownBy(() -> JsonFile.read(missing, faults)).hasMessage(missing + ": there is no such file");
        assertThatThrownBy(() -> JsonFile.read(device, faults)).hasMessage(device + ": is not a regular file");
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new NoSuchFileException("f"), "there is no such file"),
                Arguments.of(new AccessDeniedException("f"), "permission denied"),
                Arguments.of(new IOException("Stale file handle"), "Stale file handle"),
                Arguments.of(new IOException(), "input/output error"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void a_file_that_cannot_be_read_is_reported_with_the_reason(IOException failure, String reason) {
        assertThat(JsonFile.unreadable("f", failure))
                .hasMessage("f: cannot be read: " + reason)
                .hasCause(failure);
    }
}
