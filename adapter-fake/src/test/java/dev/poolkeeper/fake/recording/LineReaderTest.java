package dev.poolkeeper.fake.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {

    private static List<String> lines(String text, int longest) throws IOException {
        List<String> lines = new ArrayList<>();
        try (LineReader reader =
                new LineReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), longest)) {
            while (true) {
                try {
                    if (!reader.next()) {
                        return lines;
                    }
                    lines.add(reader.number() + ":"
                            + new String(reader.bytes(), 0, reader.length(), StandardCharsets.UTF_8));
                } catch (LineReader.TooLong e) {
                    lines.add(reader.number() + " too long");
                }
            }
        }
    }

    @Test
    void lines_are_numbered_and_the_last_needs_no_line_break() throws IOException {
        assertThat(lines("a\nbc\n\nd", 10)).containsExactly("1:a", "2:bc", "3:", "4:d");
        assertThat(lines("a\n", 10)).containsExactly("1:a");
        assertThat(lines("", 10)).isEmpty();
    }

    @Test
    void lines_longer_than_the_buffer_are_whole() throws IOException {
        String line = "x".repeat(200_000);

        assertThat(lines(line + "\ny", 200_000)).containsExactly("1:" + line, "2:y");
    }

    @Test
    void a_line_that_is_too_long_is_skipped() throws IOException {
        assertThat(lines("x".repeat(70_000) + "\ny\n", 65_000)).containsExactly("1 too long", "2:y");
        assertThat(lines("x".repeat(11) + "\n" + "y".repeat(10), 10)).containsExactly("1 too long", "2:yyyyyyyyyy");
    }
}
