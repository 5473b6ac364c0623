package dev.poolkeeper.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sentence is for people: no code compares, searches or takes apart English. What a program has to know about an
 * event, a failure or a state is a value beside the sentence.
 */
class TextsAreNotReadTest {

    /** Classes that read sentences of others, where the library gives no value. */
    private static final Map<String, String> ALLOWED = Map.of(
            "ApiFailure.java", "the JDK refuses a header's value with a plain IllegalArgumentException",
            "EventTexts.java", "ARM's messages contain waits that differ each time",
            "ParserWords.java", "Jackson and SnakeYAML tell what is wrong only in their messages",
            "RegularExpression.java", "RE2/J calls a bracket that nothing opened an internal error");

    private static final String LITERAL = "\"(?:[^\"\\\\\\n]|\\\\.)*+\"";
    private static final String LITERALS = LITERAL + "(?:\\s*\\+\\s*" + LITERAL + ")*+";
    private static final Pattern CONSTANT = Pattern.compile("static final String (\\w+)\\s*=\\s*(" + LITERALS + ");");
    private static final Pattern READING = Pattern.compile("(?:[.:](?:contains|startsWith|endsWith|(?:lastI|i)ndexOf|"
        + "matches|equals|equalsIgnoreCase|replace|replaceAll|replaceFirst|split)|Pattern\\.compile|Pattern\\.matches)"
        + "\\(\\s*(?<given>" + LITERALS + "|[A-Z][A-Z_0-9]*\\b)"
            + "|(?<own>" + LITERALS + ")(?:\\.|::)(?:equals|equalsIgnoreCase)\\b|case (?<label>" + LITERALS + ")");

    /** Two words with a space between them, or one lower-case word before a space. Keys and values are no words. */
    private static final Pattern WORDS = Pattern.compile(
            "[A-Za-z]{2,}[^A-Za-z:=/]* [^A-Za-z:=/]*[a-z]{2,}(?![A-Za-z]*[:=])|(?:^|[^A-Za-z])[a-z]{3,} $");

    /** What a regular expression has beside words: the start of a group, and escaped characters. */
    private static final Pattern SYNTAX = Pattern.compile("\\(\\?(?:[a-z]*[:)]|<?[=!]|<\\w+>)|\\\\\\\\?[a-zA-Z]");

    /** Two sentences are compared, or one is taken apart by what is not in sight. */
    private static final Pattern TEXT_OF_OURS = Pattern.compile(
            "\\b(?:note|describe|remedy)\\(\\)\\s*\\.(?:equals|contains|startsWith|endsWith|matches|indexOf|split)\\(");

    private static List<String> readings(String source) {
        Map<String, String> constants = new HashMap<>();
        CONSTANT.matcher(source).results().forEach(found -> constants.put(found.group(1), text(found.group(2))));
        Stream<String> sentences = READING.matcher(source)
                .results()
                .map(found -> argument(found, constants))
                .filter(argument -> WORDS.matcher(argument).find());
        return Stream.concat(sentences, TEXT_OF_OURS.matcher(source).results().map(MatchResult::group))
                .toList();
    }

    private static String argument(MatchResult reading, Map<String, String> constants) {
        String argument = Stream.of("given", "own", "label")
                .map(reading::group)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
        String text = argument.startsWith("\"") ? text(argument) : constants.getOrDefault(argument, "");
        return SYNTAX.matcher(text.replace("\\\\s", " ")).replaceAll("");
    }

    private static String text(String literals) {
        return Pattern.compile(LITERAL)
                .matcher(literals)
                .results()
                .map(found -> found.group().substring(1, found.group().length() - 1))
                .collect(Collectors.joining());
    }

    @Test
    void no_code_reads_sentences() throws IOException {
        TreeSet<String> readers = new TreeSet<>();
        try (Stream<Path> all = Files.walk(Path.of(".."))) {
            for (Path file : all.filter(TextsAreNotReadTest::isMainCode).toList()) {
                List<String> found = readings(Files.readString(file));
                if (!found.isEmpty()) {
                    readers.add(file.getFileName().toString());
                    assertThat(ALLOWED).as("%s reads %s", file, found).containsKey(readers.last());
                }
            }
        }
        assertThat(readers).isEqualTo(new TreeSet<>(ALLOWED.keySet()));
    }

    private static boolean isMainCode(Path file) {
        String path = file.toString();
        return path.endsWith(".java") && path.contains("/src/main/java/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "message.contains(\"was put off\")",
                "if (what.startsWith(\"fault \"))",
                "problem.replace(\"there is no\" + \" such file\", \"x\")",
                "line.matches(\".*(?:in|after) \\\\d+ seconds?\")",
                "Pattern.compile(\"HELD for\\\\s+(?<guard>\\\\w+)\")",
                "a.equals(\"found as wanted\")",
                "stream.filter(\"found as wanted\"::equals)",
                "\"found as wanted\".equals(a)",
                "case \"found as wanted\" -> 1",
                "private static final String LOST = \"Leadership lost\"; boolean a = text.contains(LOST)",
                "text.contains(\n    \"Leadership lost\")",
                "before.note().equals(now.note())",
                "failure.describe()\n    .contains(word)"
            })
    void what_reads_a_sentence_is_found(String source) {
        assertThat(readings(source)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "path.contains(\"/pods/\")",
                "header.startsWith(\"Bearer \")",
                "line.startsWith(\"GET \")",
                "type.equals(\"PRIVATE KEY\")",
                "text.contains(\"policyObjects: false\")",
                "Pattern.compile(\"([0-9]{1,5}(h|m|s|ms)){1,4}\")",
                "Pattern.compile(\"found=(none|[0-9]{1,10}) written=(.{1,9})\")",
                "log.info(\"Leadership lost\"); a.contains(\"x\")",
                "error.as(\"two words\").contains(x)"
            })
    void what_reads_values_is_not(String source) {
        assertThat(readings(source)).isEmpty();
    }
}
