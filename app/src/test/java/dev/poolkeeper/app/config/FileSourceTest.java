package dev.poolkeeper.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.poolkeeper.app.logging.Logged;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileSourceTest {

    @RegisterExtension
    final Logged logged = new Logged(FileSource.class, Level.INFO);

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
                () -> ConfigurationReader.read(file, Map.of()).live().retries(),
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

    /** Settings that list further files, one a line, each of which must contain a number. */
    private FileSource<List<Path>> listed(Path list) throws BadInputException {
        return new FileSource<>(List.of(list), () -> load(list), files -> files, files -> {});
    }

    private static List<Path> load(Path list) throws BadInputException {
        try {
            List<Path> files = new ArrayList<>(List.of(list));
            for (String name : Files.readAllLines(list)) {
                Path file = list.resolveSibling(name);
                files.add(file);
                if (!Files.readString(file).strip().matches("[0-9]+")) {
                    throw new BadInputException(new InputFault(file.toString(), "", "must be a number"));
                }
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_faulty_file_that_is_named_for_the_first_time_is_read_again_once_it_is_corrected() throws Exception {
        Path list = Files.writeString(folder.resolve("list"), "");
        FileSource<List<Path>> source = listed(list);
        Path added = Files.writeString(folder.resolve("added"), "one");
        Files.writeString(list, "added\n");
        assertThat(source.poll()).isFalse();
        assertThat(source.trouble()).isPresent();

        Files.writeString(added, "1");

        assertThat(source.poll()).isTrue();
        assertThat(source.trouble()).isEmpty();
        assertThat(source.current()).containsExactly(list, added);
    }

    @Test
    void a_fault_is_logged_once_until_it_is_corrected() throws Exception {
        Path list = Files.writeString(folder.resolve("list"), "");
        FileSource<List<Path>> source = listed(list);
        List<Integer> warnings = new ArrayList<>();
        for (String names : List.of("one\n", "one\n", "two\n", "two\n", "", "two\n")) {
            Files.writeString(folder.resolve("one"), "x");
            Files.writeString(folder.resolve("two"), "x");
            Files.writeString(list, names);
            source.poll();
            warnings.add((int) logged.list.stream()
                    .filter(event -> event.getLevel() == Level.WARN)
                    .count());
            logged.list.clear();
        }
        assertThat(warnings).containsExactly(1, 0, 1, 0, 0, 1);
    }

    @Test
    void a_file_that_goes_back_to_exactly_what_it_was_ends_the_trouble() throws Exception {
        Path list = Files.writeString(folder.resolve("list"), "");
        FileSource<List<Path>> source = listed(list);
        Files.writeString(list, "list\n");
        source.poll();
        assertThat(source.trouble()).isPresent();

        Files.writeString(list, "");
        source.poll();

        assertThat(source.trouble()).isEmpty();
    }

    @Test
    void an_edit_of_a_new_file_while_it_is_loaded_is_found_by_the_next_poll() throws Exception {
        Path list = Files.writeString(folder.resolve("list"), "");
        Path added = Files.writeString(folder.resolve("added"), "1");
        List<String> loaded = new ArrayList<>();
        FileSource<String> source = new FileSource<>(
                List.of(list),
                () -> {
                    String content = String.join(",", read(list), read(added));
                    loaded.add(content);
                    if (loaded.size() == 2) {
                        write(added, "2"); // after it was read
                    }
                    return content;
                },
                content -> content.startsWith("added") ? List.of(list, added) : List.of(list),
                content -> {});
        write(list, "added");
        source.poll();
        assertThat(source.current()).isEqualTo("added,1");

        source.poll();

        assertThat(source.current()).isEqualTo("added,2");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String content) {
        try {
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {IllegalStateException.class, NullPointerException.class, UnsupportedOperationException.class})
    void a_listener_that_throws_gets_the_settings_again_and_stops_nothing(Class<? extends RuntimeException> kind)
            throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "first");
        List<String> heard = new ArrayList<>();
        FileSource<String> source =
                new FileSource<>(List.of(file), () -> read(file), settings -> List.of(file), settings -> {
                    heard.add(settings);
                    if (heard.size() == 1) {
                        throw thrown(kind);
                    }
                });
        Files.writeString(file, "second");
        assertThat(source.poll()).isFalse();
        assertThat(source.trouble())
                .hasValueSatisfying(bad -> assertThat(bad.faults())
                        .singleElement()
                        .asString()
                        .endsWith("cannot be applied: " + kind.getName() + ": not yet"));
        assertThat(source.current()).isEqualTo("first");
        assertThat(source.poll()).isTrue();
        assertThat(heard).containsExactly("second", "second");
        assertThat(source.trouble()).isEmpty();
    }

    private static RuntimeException thrown(Class<? extends RuntimeException> kind) {
        try {
            return kind.getConstructor(String.class).newInstance("not yet");
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
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

    @Test
    void each_change_is_logged_once() throws Exception {
        Path list = Files.writeString(folder.resolve("list"), "");
        Path one = Files.writeString(folder.resolve("one"), "1");
        FileSource<List<Path>> source = listed(list);
        List<List<String>> lines = new ArrayList<>();
        for (String names : List.of("", "one\n", "one\n", "list\n", "list\n", "one\n", "one\n", "")) {
            Files.writeString(list, names);
            source.poll();
            lines.add(logged.list.stream()
                    .map(event -> event.getMessage().replaceFirst(";.*", ""))
                    .toList());
            logged.list.clear();
        }
        assertThat(one).isRegularFile();
        assertThat(lines)
                .containsExactly(
                        List.of(),
                        List.of("Settings changed"),
                        List.of(),
                        List.of("Changed files are invalid"),
                        List.of(),
                        List.of("Files are valid again"),
                        List.of(),
                        List.of("Settings changed"));
    }

    @Test
    void a_file_that_cannot_be_read_is_not_loaded_again_and_again() throws Exception {
        Path missing = folder.resolve("missing");
        List<String> loads = new ArrayList<>();
        FileSource<String> source = new FileSource<>(
                List.of(missing),
                () -> {
                    loads.add("load");
                    return "the same";
                },
                settings -> List.of(missing),
                settings -> {});
        source.poll();
        source.poll();
        assertThat(loads).hasSize(1);
        Files.writeString(missing, "here");
        source.poll();
        Files.delete(missing);
        source.poll();
        assertThat(loads).hasSize(3);
    }
}
