package dev.poolkeeper.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSourceTest {

    @TempDir
    private Path folder;

    @Test
    @Rule(
            id = "P80",
            says = "A change of the configuration or of the manifests takes effect without a restart; what cannot be"
                    + " used is reported and leaves the last good policy in force.",
            source = "ours")
    void a_valid_change_takes_effect_and_an_invalid_one_is_ignored() throws Exception {
        // given
        Path file = folder.resolve("poolkeeper.yaml");
        Files.writeString(file, "retry: {attempts: 1}\n");
        List<RetrySettings> heard = new ArrayList<>();
        FileSource<RetrySettings> source = new FileSource<>(
                List.of(file),
                () -> ConfigurationReader.read(file).live().retries(),
                settings -> List.of(file),
                heard::add);
        assertThat(source.current().policy().attempts()).isEqualTo(1);
        assertThat(source.poll()).isFalse();
        // when
        Files.writeString(file, "retry: {attempts: 2, backoff: 1s}\n");
        // then
        assertThat(source.poll()).isTrue();
        assertThat(heard).containsExactly(source.current());
        assertThat(source.current().policy().attempts()).isEqualTo(2);
        // when
        Files.writeString(file, "retry: {attempts: -2}\n");
        // then
        assertThat(source.poll()).isFalse();
        assertThat(source.current().policy().attempts()).isEqualTo(2);
        assertThat(source.trouble()).isPresent();
        // when
        Files.writeString(file, "# nothing set\n{}\n");
        // then
        assertThat(source.poll()).isTrue();
        assertThat(source.trouble()).isEmpty();
        assertThat(source.current()).isEqualTo(RetrySettings.DEFAULT);
        assertThat(source.current().policy()).isEqualTo(RetryPolicy.DEFAULT);
    }

    @Test
    void an_edit_during_the_first_load_is_found_by_the_next_poll() throws Exception {
        // given
        Path file = folder.resolve("poolkeeper.yaml");
        Files.writeString(file, "first");
        FileSource<String> source =
                new FileSource<>(List.of(file), () -> readAndEdit(file), settings -> List.of(file), settings -> {});
        assertThat(source.current()).isEqualTo("first");
        // then
        assertThat(source.poll()).isTrue();
        assertThat(source.current()).isEqualTo("second");
    }

    private static String readAndEdit(Path file) {
        try {
            String read = Files.readString(file);
            Files.writeString(file, "second");
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
