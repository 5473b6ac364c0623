import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the mutants that PIT left alive with {@code docs/reference/surviving-mutants.md}, class by class. More than
 * the page gives reasons for fail; fewer ask for the page to be lowered.
 */
final class Mutation {

    private static final Pattern ALIVE = Pattern.compile(
            "<mutation [^>]*status='(?:SURVIVED|NO_COVERAGE)'.*?<mutatedClass>([^<$]*)[^<]*</mutatedClass>");
    private static final Pattern ROW = Pattern.compile("^\\| `([\\w.]+)` \\| (\\d+) \\|");
    private static final String PREFIX = "dev.poolkeeper.core.";

    private Mutation() {}

    public static void main(String[] args) throws IOException {
        Map<String, Integer> alive = new TreeMap<>();
        Matcher mutant = ALIVE.matcher(Files.readString(Path.of(args[0])));
        while (mutant.find()) {
            alive.merge(mutant.group(1).substring(PREFIX.length()), 1, Integer::sum);
        }
        Map<String, Integer> explained = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of(args[1]))) {
            Matcher row = ROW.matcher(line);
            if (row.find()) {
                explained.put(row.group(1), Integer.valueOf(row.group(2)));
            }
        }
        TreeSet<String> classes = new TreeSet<>(alive.keySet());
        classes.addAll(explained.keySet());
        boolean more = false;
        for (String name : classes) {
            int is = alive.getOrDefault(name, 0);
            int reasons = explained.getOrDefault(name, 0);
            if (is != reasons) {
                System.out.println(
                        "%s: %d mutants are alive, %s gives reasons for %d".formatted(name, is, args[1], reasons));
            }
            more |= is > reasons;
        }
        if (more) {
            System.out.println("Kill them with a test, or say in " + args[1] + " why they may live.");
            System.exit(1);
        }
    }
}
