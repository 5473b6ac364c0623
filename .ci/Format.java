import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.JavaFormatterOptions.Style;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Formats the Java sources ({@code write}), or finds those that are not formatted ({@code check}). Maven starts it in
 * the build's JDK: the formatter uses the parser of the JDK it runs in, and the one that runs Maven may be too old for
 * our sources. What is wrong goes into a file, whose presence fails the build.
 */
final class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(Style.PALANTIR)
            .formatJavadoc(true)
            .build());

    private final boolean write;
    private final Queue<String> changed = new ConcurrentLinkedQueue<>();
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();

    private Format(boolean write) {
        this.write = write;
    }

    public static void main(String[] args) throws IOException {
        Format run = new Format(args[0].equals("write"));
        javaFiles().parallelStream().forEach(run::format);
        run.report(Path.of(args[1]));
    }

    /** Those of the modules, and this one. */
    private static List<Path> javaFiles() throws IOException {
        List<Path> folders = new ArrayList<>(List.of(Path.of(".ci")));
        try (Stream<Path> modules = Files.list(Path.of(""))) {
            modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .forEach(folders::add);
        }
        List<Path> sources = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    private void format(Path file) {
        try {
            String before = Files.readString(file);
            String after = FORMATTER.formatSourceAndFixImports(before);
            if (!after.equals(before)) {
                changed.add(file.toString());
                if (write) {
                    Files.writeString(file, after);
                }
            }
        } catch (FormatterException e) {
            broken.add("Not valid Java: " + file + ":" + e.getMessage().strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void report(Path problemsFile) throws IOException {
        List<String> problems = new ArrayList<>(broken.stream().sorted().toList());
        String files = String.join(", ", changed.stream().sorted().toList());
        if (write) {
            System.out.println("Formatted: " + (files.isEmpty() ? "nothing to do" : files));
        } else if (!files.isEmpty()) {
            problems.add("Not formatted: " + files + ". To format: ./mvnw -N -Pformat process-sources");
        }
        Files.deleteIfExists(problemsFile);
        if (!problems.isEmpty()) {
            Files.createDirectories(problemsFile.getParent());
            Files.write(problemsFile, problems);
        }
    }
}
