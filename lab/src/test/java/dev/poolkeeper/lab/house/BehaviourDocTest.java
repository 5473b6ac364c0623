package dev.poolkeeper.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/behaviour.md} is generated from the {@link Rule}s on the tests of all modules. This test generates it and
 * compares; with {@code -Ddocs.update} it writes it.
 */
class BehaviourDocTest {

    private static final Path DOC = Path.of("..", "docs", "behaviour.md");

    /** The meaning of an id's first letter. */
    private static final Map<String, String> CHAPTERS = new TreeMap<>(Map.of(
            "B", "Books: nothing is lost",
            "D", "The design document's tests",
            "F", "Scripted faults",
            "I", "Bad input",
            "L", "Locks and shutdown",
            "M", "Messages",
            "N", "Names",
            "P", "Retry policies",
            "Q", "The queue",
            "R", "Replay: the contract's rules"));

    static {
        CHAPTERS.put("S", "Where we differ from the design document on purpose");
        CHAPTERS.put("T", "Throttled failures");
        CHAPTERS.put("K", "Lanes: load balancers side by side");
        CHAPTERS.put("J", "Pace and freshness");
        CHAPTERS.put("A", "Adapters to ARM");
        CHAPTERS.put("E", "The ARM emulator");
        CHAPTERS.put("G", "Retry budgets");
        CHAPTERS.put("Y", "The readiness gate");
        CHAPTERS.put("H", "Installing");
        CHAPTERS.put("O", "Observing the daemon");
        CHAPTERS.put("X", "Threads and hostile input");
        CHAPTERS.put("W", "What simulate-retries shows");
        CHAPTERS.put("C", "Keeping pools in step: adoption, resync, what is held back");
        CHAPTERS.put("V", "Requests to the API server, watches and Events");
        CHAPTERS.put("U", "Flaws of the Go updater");
    }

    private record Row(Rule rule, List<String> tests) {
        String line() {
            return "| %s | %s | %s | %s | %s |"
                    .formatted(
                            rule.id(),
                            cell(rule.says()),
                            cell(rule.source()),
                            cell(rule.differs()),
                            String.join("<br>", tests));
        }

        private static String cell(String text) {
            return text.replace("|", "\\|");
        }
    }

    @Test
    void the_behaviour_page_matches_the_rules_of_the_tests() throws IOException {
        String expected = page(rows());

        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(DOC, expected);
        }

        assertThat(DOC)
                .as("docs/behaviour.md, made by: ./mvnw verify -Ddocs.update=true")
                .content()
                .isEqualTo(expected);
    }

    private static List<Row> rows() throws IOException {
        Map<String, Row> rows = new TreeMap<>(Comparator.comparing(BehaviourDocTest::sortKey));
        for (JavaMethod method : tests()) {
            for (Rule rule : rulesOf(method)) {
                Row row = rows.computeIfAbsent(rule.id(), id -> new Row(rule, new ArrayList<>()));
                assertThat(row.rule().says())
                        .as("two texts for rule " + rule.id())
                        .isEqualTo(rule.says());
                row.tests()
                        .add(method.getOwner().getSimpleName() + ": "
                                + method.getName().replace('_', ' '));
            }
        }
        rows.values().forEach(row -> row.tests().sort(Comparator.naturalOrder()));
        return List.copyOf(rows.values());
    }

    private static List<JavaMethod> tests() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            List<Path> folders = modules.map(module -> module.resolve("target/test-classes"))
                    .filter(Files::isDirectory)
                    .toList();
            JavaClasses classes = new ClassFileImporter().importPaths(folders);
            return classes.stream().flatMap(type -> type.getMethods().stream()).toList();
        }
    }

    private static List<Rule> rulesOf(JavaMethod method) {
        if (method.isAnnotatedWith(Rule.class)) {
            return List.of(method.getAnnotationOfType(Rule.class));
        }
        return method.isAnnotatedWith(Rule.Several.class)
                ? List.of(method.getAnnotationOfType(Rule.Several.class).value())
                : List.of();
    }

    /** {@code R9.2} before {@code R12.1}. */
    private static String sortKey(String id) {
        return Stream.of(id.substring(1).split("\\."))
                .map(number -> "%05d".formatted(Integer.parseInt(number)))
                .collect(Collectors.joining(".", id.substring(0, 1), ""));
    }

    private static String page(List<Row> rows) {
        Map<String, List<Row>> chapters = rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.rule().id().substring(0, 1), TreeMap::new, Collectors.toList()));
        assertThat(CHAPTERS.keySet()).containsAll(chapters.keySet());
        Function<Map.Entry<String, List<Row>>, String> chapter = entry -> "\n## %s\n\n%s\n%s\n%s\n"
                .formatted(
                        CHAPTERS.get(entry.getKey()),
                        "| Rule | What holds | Where it comes from | Where the Go implementation differs | Test |",
                        "|---|---|---|---|---|",
                        entry.getValue().stream().map(Row::line).collect(Collectors.joining("\n")));
        return """
            # Behaviour

            What Poolkeeper does, rule by rule, each with its source and the test that holds it. For looking up: to read from top to
            bottom, take [how-it-works.md](how-it-works.md). Generated from the tests (`./mvnw verify -Ddocs.update=true`) and
            compared with them by each build.

            *Design document*: [Refining Local Service Backend Pool Updater](https://github.com/kubernetes-sigs/cloud-provider-azure/pull/10417),
            merged into kubernetes-sigs/cloud-provider-azure. *Contract*: [replay.md](replay.md). *Go*: the updater inside
            cloud-provider-azure, and the two proposals for it
            ([#10635](https://github.com/kubernetes-sigs/cloud-provider-azure/pull/10635),
            [#10730](https://github.com/kubernetes-sigs/cloud-provider-azure/pull/10730)), as of August 2026.
            """ + chapters.entrySet().stream().map(chapter).collect(Collectors.joining());
    }
}
