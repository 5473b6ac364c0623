package dev.poolkeeper.fake.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.recording.Recording.Extent;
import dev.poolkeeper.input.BadInputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {

    private static final byte[] PLAIN =
            ("{\"offsetMillis\":5,\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}}\n"
                + "{\"offsetMillis\":7,\"type\":\"DELETED\",\"object\":{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}}\n")
                    .getBytes(StandardCharsets.UTF_8);

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private static Recording recording(byte[] bytes) {
        return new Recording("recording", () -> new ByteArrayInputStream(bytes));
    }

    @Test
    void a_gzip_recording_reads_as_the_plain_one() throws Exception {
        Recording compressed = recording(gzip(PLAIN));

        assertThat(compressed.check())
                .isEqualTo(new Extent(2, 7))
                .isEqualTo(recording(PLAIN).check());
        assertThat(compressed.bytes()).hasBinaryContent(PLAIN);
        try (RecordingPlayer player = new RecordingPlayer(List.of(compressed))) {
            assertThat(player.next()).extracting(RecordedEvent::offsetMillis).isEqualTo(5L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 9, 30, 60})
    void a_truncated_gzip_recording_is_one_fault(int length) throws IOException {
        Recording cut = recording(Arrays.copyOf(gzip(PLAIN), length));

        assertThatThrownBy(cut::check)
                .isInstanceOf(BadInputException.class)
                .hasMessage("recording: is a truncated gzip file");
    }

    @Test
    void a_damaged_gzip_recording_is_one_fault() throws IOException {
        byte[] damaged = gzip(PLAIN);
        damaged[damaged.length - 6] ^= 1; // in its checksum

        assertThatThrownBy(recording(damaged)::check)
                .isInstanceOf(BadInputException.class)
                .hasMessage("recording: is a corrupt gzip file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE"})
    @Rule(id = "I20", says = "A file that is not UTF-8 is a single fault that names the encoding.", source = "ours")
    void a_recording_in_utf_16_is_one_fault(String charset) throws IOException {
        byte[] utf16 = new String(PLAIN, StandardCharsets.UTF_8).repeat(50).getBytes(Charset.forName(charset));

        for (byte[] bytes : List.of(utf16, gzip(utf16))) {
            assertThatThrownBy(recording(bytes)::check)
                    .hasMessage("recording: is not JSON lines: this is a UTF-16 file, must be UTF-8");
        }
    }

    @Test
    void a_file_too_short_to_be_gzip_is_read_as_it_is() {
        assertThatThrownBy(recording(new byte[] {0x1f})::check)
                .hasMessageStartingWith("recording: line 1: is not JSON");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 9, 10, 17, 18, 19, 26, 27, 1_000, 100_000})
    void bytes_after_the_end_are_one_fault(int count) throws IOException {
        byte[] gzip = gzip(PLAIN);
        byte[] longer = Arrays.copyOf(gzip, gzip.length + count);

        assertThatThrownBy(() -> {
                    try (InputStream in = recording(longer).bytes()) {
                        in.readAllBytes();
                    } catch (IOException e) {
                        throw Compression.fault("recording", e);
                    }
                })
                .hasMessage("recording: has bytes after the end of its gzip data");
    }

    @Test
    void several_members_are_one_recording() throws Exception {
        ByteArrayOutputStream two = new ByteArrayOutputStream();
        two.write(gzip(PLAIN));
        two.write(gzip(PLAIN));

        try (InputStream in = recording(two.toByteArray()).bytes()) {
            assertThat(in.readAllBytes())
                    .hasSize(2 * PLAIN.length)
                    .startsWith(PLAIN)
                    .endsWith(PLAIN);
        }
    }

    @Test
    void a_file_larger_than_every_buffer_is_read_whole() throws Exception {
        byte[] large = new byte[3_000_000];
        new Random(7).nextBytes(large);

        try (InputStream in = recording(gzip(large)).bytes()) {
            assertThat(in.readAllBytes()).isEqualTo(large);
        }
    }

    @Test
    void a_wrong_checksum_is_one_fault() throws IOException {
        byte[] gzip = gzip(PLAIN);
        gzip[gzip.length - 5] ^= 1;

        assertThatThrownBy(() -> {
                    try (InputStream in = recording(gzip).bytes()) {
                        in.readAllBytes();
                    } catch (IOException e) {
                        throw Compression.fault("recording", e);
                    }
                })
                .hasMessage("recording: is a corrupt gzip file");
    }
}
