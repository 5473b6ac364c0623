package dev.poolkeeper.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Pages that name tests, as {@code `SomeTest`: what it shows}, {@code `SomeTest.what_it_shows`} or {@code `SomeTest`},
 * name only existing ones.
 */
class NamedTestsTest {

    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)`: ([a-z0-9][a-zA-Z0-9 ]+)");
    private static final Pattern BY_METHOD = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");
    private static final Pattern CLASS = Pattern.compile("`(\\w+)`");
    private static final List<String> PAGES = List.of(
            "SECURITY.md",
            "docs/reliability.md",
            "docs/reference/faults-found.md",
            "docs/reference/go-updater-flaws.md");
    private static final List<String> PAGES_BY_METHOD =
            List.of("docs/how-it-works.md", "lab/retries.md", "lab/policy-conformance.md");

    private static List<String> namedIn(String text) {
        List<String> named = new ArrayList<>();
        Matcher matcher = NAMED.matcher(text);
        while (matcher.find()) {
            named.add(matcher.group(1) + ": " + matcher.group(2).strip());
        }
        return named;
    }

    private static Set<String> tests() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            List<Path> folders = modules.map(module -> module.resolve("target/test-classes"))
                    .filter(Files::isDirectory)
                    .toList();
            JavaClasses classes = new ClassFileImporter().importPaths(folders);
            return classes.stream()
                    .flatMap(type -> type.getAllMethods().stream()
                            .map(method -> type.getSimpleName() + ": "
                                    + method.getName().replace('_', ' ')))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void each_test_named_on_a_page_exists() throws IOException {
        Set<String> tests = tests();
        for (String page : PAGES) {
            List<String> named = namedIn(Files.readString(Path.of("..").resolve(page)));

            assertThat(named).as(page).isNotEmpty();
            assertThat(tests).as(page).containsAll(named);
        }
    }

    @Test
    void each_method_named_on_a_page_exists() throws IOException {
        Set<String> tests = tests();
        Set<String> classes =
                tests.stream().map(test -> test.substring(0, test.indexOf(':'))).collect(Collectors.toSet());
        for (String page : PAGES_BY_METHOD) {
            Matcher named = BY_METHOD.matcher(Files.readString(Path.of("..").resolve(page)));
            assertThat(named.results())
                    .as(page)
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(name.group(2) == null ? classes : tests)
                            .contains(
                                    name.group(2) == null
                                            ? name.group(1)
                                            : name.group(1) + ": "
                                                    + name.group(2).replace('_', ' ')));
        }
    }

    @Test
    void each_word_of_the_design_document_leads_to_a_class_and_a_test() throws IOException {
        Set<String> classes = new HashSet<>();
        for (String module : List.of("ports", "core", "adapter-azure", "app")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
                files.map(file -> file.getFileName().toString().replace(".java", ""))
                        .forEach(classes::add);
            }
        }
        List<String[]> rows = Files.readAllLines(Path.of("../docs/how-it-works.md")).stream()
                .dropWhile(line -> !line.equals("## The design document's words"))
                .takeWhile(line -> !line.startsWith("## Where"))
                .filter(line -> line.startsWith("| **"))
                .map(line -> line.split("\\|"))
                .toList();

        assertThat(rows).hasSizeGreaterThan(10).allSatisfy(cells -> {
            assertThat(CLASS.matcher(cells[3]).results().map(named -> named.group(1)))
                    .isNotEmpty()
                    .isSubsetOf(classes);
            assertThat(BY_METHOD.matcher(cells[4]).find()).isTrue();
        });
    }

    @Test
    void a_test_that_is_named_but_does_not_exist_is_detected() throws IOException {
        List<String> named =
                namedIn("| a threat | `NamedTestsTest`: this one does not exist<br>`NamedTestsTest`: each test"
                        + " named on a page exists |");

        assertThat(named).hasSize(2);
        assertThat(tests()).doesNotContain(named.get(0)).contains(named.get(1));
    }
}
