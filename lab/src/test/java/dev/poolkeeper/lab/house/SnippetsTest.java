package dev.poolkeeper.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.cloud.Faults;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compiles the Java code of the pages. A block that is no whole file is put into one, with imports of the public types
 * that it names; {@link #GIVEN} are the names that a page leaves to its reader.
 */
class SnippetsTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?m)^```java\\n(.*?)^```$", Pattern.DOTALL);
    private static final Pattern FAULTS = Pattern.compile("```json\\n(\\{\"rules\".*?)```", Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("\\b[A-Z][A-Za-z]*[a-z][A-Za-z]*\\b");
    private static final Pattern FIELD = Pattern.compile("@RegisterExtension\\n.*\\n");
    private static final Pattern PUBLIC =
            Pattern.compile("(?m)^public (?:final |sealed |abstract )*(?:class|interface|record|enum) (\\w+)");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

    private static final String GIVEN = """
        ClusterListener clusterListener, listener;
        String hostName, podName;
        org.slf4j.Logger log;
        Path file;
        KubernetesClient leases;
        """;

    private static final String USUAL = """
        import static org.assertj.core.api.Assertions.assertThat;
        import java.net.*;
        import java.net.http.*;
        import java.net.http.HttpRequest.BodyPublishers;
        import java.net.http.HttpResponse.BodyHandlers;
        import java.nio.file.*;
        import java.time.*;
        import java.util.*;
        import io.fabric8.kubernetes.client.*;
        import org.junit.jupiter.api.*;
        import org.junit.jupiter.api.extension.*;
        """;

    @TempDir
    private Path classes;

    /**
     * One block of a page.
     *
     * @param files the blocks of the page that are whole files
     */
    record Snippet(String page, int number, String code, List<String> files) {
        @Override
        public String toString() {
            return page + ", block " + number;
        }
    }

    static Stream<Snippet> snippets() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(docs, Stream.of(ROOT.resolve("README.md")))
                    .filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList()
                    .stream()
                    .flatMap(SnippetsTest::of);
        }
    }

    private static Stream<Snippet> of(Path page) {
        List<String> blocks =
                BLOCK.matcher(read(page)).results().map(block -> block.group(1)).toList();
        return IntStream.range(0, blocks.size())
                .mapToObj(i -> new Snippet(
                        ROOT.relativize(page).toString(),
                        i + 1,
                        blocks.get(i),
                        blocks.stream().filter(SnippetsTest::isFile).toList()));
    }

    private static boolean isFile(String code) {
        return code.startsWith("package ");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The public types of all modules, by their simple names. */
    private static Map<String, String> types() throws IOException {
        Map<String, String> types = new HashMap<>();
        for (String module : List.of("ports", "core", "adapter-fake", "emulators", "adapter-k8s", "adapter-azure")) {
            for (String tree : List.of("main", "test")) {
                Path sources = ROOT.resolve(module).resolve("src/" + tree + "/java");
                try (Stream<Path> files = Files.walk(sources)) {
                    for (Path file :
                            files.filter(it -> it.toString().endsWith(".java")).toList()) {
                        String source = read(file);
                        Matcher name = PUBLIC.matcher(source);
                        Matcher in = PACKAGE.matcher(source);
                        if (in.find() && name.find() && (tree.equals("main") || source.contains("examples"))) {
                            types.putIfAbsent(name.group(1), in.group(1) + "." + name.group(1));
                        }
                    }
                }
            }
        }
        return types;
    }

    private static String unit(Snippet snippet) throws IOException {
        String code = snippet.code();
        if (isFile(code)) {
            return code;
        }
        String home = snippet.files().stream()
                .findFirst()
                .map(file -> file.lines().findFirst().orElseThrow() + "\n")
                .orElse("");
        boolean isClass = Pattern.compile("(?m)^(final )?class ").matcher(code).find();
        Map<String, String> types = types();
        String imports = TYPE.matcher(code + GIVEN)
                .results()
                .map(MatchResult::group)
                .distinct()
                .map(types::get)
                .flatMap(name -> Optional.ofNullable(name).stream())
                .map(name -> "import " + name + ";\n")
                .collect(Collectors.joining());
        String fields = FIELD.matcher(code).results().map(MatchResult::group).collect(Collectors.joining());
        return home
                + USUAL
                + imports
                + (isClass
                        ? code
                        : "class Snippet {\n" + GIVEN + fields + "void run() throws Exception {\n"
                                + FIELD.matcher(code).replaceAll("") + "}\n}\n");
    }

    @ParameterizedTest
    @MethodSource("snippets")
    @Rule(id = "O40", says = "All Java code in the documentation compiles.", source = "ours")
    void every_snippet_compiles(Snippet snippet) throws IOException {
        List<Source> sources = Stream.concat(Stream.of(unit(snippet)), snippet.files().stream())
                .distinct()
                .map(Source::of)
                .toList();
        StringWriter errors = new StringWriter();
        List<String> options = List.of(
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));

        boolean compiles = ToolProvider.getSystemJavaCompiler()
                .getTask(errors, null, null, options, null, sources)
                .call();

        assertThat(compiles).as(errors.toString()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/replay.md", "docs/testing.md"})
    void every_file_of_faults_is_valid(String page) throws Exception {
        Matcher faults = FAULTS.matcher(read(ROOT.resolve(page)));

        assertThat(faults.find()).isTrue();
        assertThat(Faults.read(new ByteArrayInputStream(faults.group(1).getBytes(StandardCharsets.UTF_8)), page)
                        .rules())
                .isNotEmpty();
    }

    /** A source file in memory. */
    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        static Source of(String text) {
            Matcher name = Pattern.compile("(?m)^(?:final )?class (\\w+)").matcher(text);
            return new Source(name.find() ? name.group(1) : "Snippet", text);
        }

        private Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
