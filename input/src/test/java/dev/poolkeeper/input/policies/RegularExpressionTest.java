package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegularExpressionTest {

    private static final long STACK = 512L << 10;

    /** Counts the characters that a match reads. */
    private static final class Counted implements CharSequence {

        private final String text;
        private long reads;

        Counted(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            reads++;
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static <T> T onSmallStack(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(null, task, "small", STACK);
        thread.start();
        return task.get();
    }

    /** What takes a backtracking engine years, and the deepest and largest programs that are accepted. */
    static Stream<String> hostile() {
        return Stream.of(
                "/(a+)+b",
                "/(a|aa)+b",
                "/(a*)*b",
                "/(.*a){25}b",
                "/((a|b)*)*c",
                "(?:(?:^)*)*.*b",
                "(?:".repeat(99) + "(a*)" + ")*".repeat(99) + "b",
                "(?:a?){990}",
                "(?:^?){990}",
                "a{0,998}",
                "()".repeat(499),
                "(|){480}",
                "(?:(?:a*)?){600}",
                "^".repeat(1_024),
                "(?:^|\\b){600}",
                "(?i)" + "\\pL".repeat(300));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    @Rule(
            id = "P180",
            says = "A regular expression of others is RE2's, matched in time linear in the text and within 512 KB of"
                    + " stack.",
            source = "ours")
    void a_match_reads_each_character_a_few_times_and_needs_little_stack(String regex) throws Exception {
        for (int length : new int[] {60, 6_000, 60_000}) {
            Counted text = new Counted("/" + "a".repeat(length));
            boolean matches = onSmallStack(() -> new RegularExpression(regex).matches(text));
            assertThat(matches).isFalse();
            assertThat(text.reads).isLessThan(4L * length);
        }
    }

    static Stream<Arguments> limits() {
        return Stream.of(
                Arguments.of("a".repeat(1_024), "a".repeat(1_025), "it has 1025 characters, must have 1024 at most"),
                Arguments.of(
                        "(".repeat(100) + ")".repeat(100),
                        "(".repeat(101) + ")".repeat(101),
                        "groups are nested more than 100 deep, at character 101"),
                Arguments.of("a{1000}", "a{1001}", "repeats add up to more than 1000 copies, at character 2"),
                Arguments.of("a{500}b{500}", "a{500}b{501}", "repeats add up to more than 1000 copies, at character 8"),
                Arguments.of(
                        "a{500}|b{500}", "a{500}|b{501}", "repeats add up to more than 1000 copies, at character 9"),
                Arguments.of(
                        "(?:a{10}){100}", "(?:a{10}){101}", "repeats add up to more than 1000 copies, at character 10"),
                Arguments.of(
                        "(?:a{10}b{10}){50}",
                        "(?:a{10}b{10}){51}",
                        "repeats add up to more than 1000 copies, at character 15"),
                Arguments.of(
                        "(?:a?){998}.?", "(?:a?){998}.?.?", "it compiles to 2002 instructions, must be 2000 at most"),
                Arguments.of("a{2,1000}", "a{2,1001}", "repeats add up to more than 1000 copies, at character 2"),
                Arguments.of("a{1000,}", "a{1001,}", "repeats add up to more than 1000 copies, at character 2"),
                Arguments.of(
                        "[^]({1000}]{1000}",
                        "[^]({1000}]{1001}",
                        "repeats add up to more than 1000 copies, at character 12"),
                Arguments.of(
                        "\\Q({1000}\\E\\x{1000}{1000}",
                        "\\Q({1000}\\E\\x{1000}{1001}",
                        "repeats add up to more than 1000 copies, at character 20"));
    }

    @ParameterizedTest
    @MethodSource("limits")
    @Rule(
            id = "P185",
            says = "A regular expression of others has at most 1,024 characters, 100 nested groups, 1,000 copies (the"
                    + " product of nested repeats, the sum of those next to each other) and 2,000 instructions; what"
                    + " exceeds this, or is not RE2's, is refused with its place.",
            source = "ours")
    void each_limit_is_exact(String longest, String tooLong, String why) {
        assertThat(new RegularExpression(longest).size()).isBetween(2, 2_000);
        assertThatThrownBy(() -> new RegularExpression(tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why);
    }

    /** Each would copy a million parts or more, by a syntax that hides a repeat or its group. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?:(?:^){99999}){2147483647}.*",
                "(?:(?:a{1000}){1000}){1000}",
                "(?:a{1000})(?i){1000}",
                "(?:a{1000})\\Q\\E{1000}",
                "(?:[(]a{1000}){1000}",
                "(?:\\(a{1000}){1000}",
                "(?:[[:alpha:](]a{1000}){1000}",
                "(?:[]](a{1000})){1000}",
                "(?:\\Q[\\Ea{1000}){1000}",
                "(?:\\x{5b}a{1000}){1000}",
                "(?P<a{3}>a{1000}){1000}",
                "(?<n>a{1000}){0000000001000}",
                "(?:a{1000}){99999999999999999999}",
                "(?:a{1000}|b{1000}|c{1000})",
                "(?i:a{1000}){1000}",
            })
    void what_would_take_all_memory_is_refused_before_it_is_compiled(String regex) {
        assertThatThrownBy(() -> ExpressionLimits.check(regex))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("repeats add up to more than 1000 copies, at character ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "(?=a)b invalid_or_unsupported_Perl_syntax:_(?=",
                "(?!a)b invalid_or_unsupported_Perl_syntax:_(?!",
                "(?<=a)b invalid_named_capture:_(?<=a)b",
                "(?>a) invalid_or_unsupported_Perl_syntax:_(?>",
                "a*+ invalid_nested_repetition_operator:_*+",
                "a++ invalid_nested_repetition_operator:_++",
                "a?+ invalid_nested_repetition_operator:_?+",
                "(a)\\1 invalid_escape_sequence:_\\1",
                "[a-z&&[^b]] &&_in_a_class_is_not_supported,_at_character_5",
                "[&&] &&_in_a_class_is_not_supported,_at_character_2",
                "( missing_closing_):_(",
                "a) unexpected_)",
                "[a missing_],_at_character_1",
                "[] missing_],_at_character_1",
                "\\ trailing_backslash_at_end_of_expression",
                "*a missing_argument_to_repetition_operator:_*",
            })
    void what_is_not_re2_is_refused_with_the_part_in_question(String regex, String why) {
        assertThatThrownBy(() -> new RegularExpression(regex))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why.replace('_', ' '));
    }

    /** RE2/J's own steps from case to case, for each character: from a refused one they do not lead back. */
    @Test
    @Rule(
            id = "P193",
            says = "A regular expression that ignores case and contains a character that RE2/J cannot fold (U+1C80 to"
                    + " U+1C88), or a range with one, is refused with its place.",
            source = "ours")
    void a_character_of_which_no_case_leads_back_to_it_is_refused() throws Exception {
        Method next = Class.forName("com.google.re2j.Unicode").getDeclaredMethod("simpleFold", int.class);
        next.setAccessible(true);
        for (int character = 0; character <= Character.MAX_CODE_POINT; character++) {
            int steps = 1;
            int other = (int) next.invoke(null, character);
            while (other != character && steps < 10) {
                other = (int) next.invoke(null, other);
                steps++;
            }
            boolean leadsBack = other == character;
            assertThat(leadsBack)
                    .as("U+%x", character)
                    .isEqualTo(character < CaseFolds.FIRST || character > CaseFolds.LAST);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?i)/\\x{1c80}",
                "(?i)/\u1c88",
                "(?si:/\\x{1C84})",
                "/(?i-s)[a\\x{1c85}]",
                "(?i)[^\u1c81]",
                "(?i)[\\x{100}-\\x{10ffff}]",
                "(?i)[a-\u4e00]",
                "(?i)[\\x41-\uffff]",
                "(?i)\\Q\u1c87\\E",
                "(?:a(?i:b)\u1c86)",
                "(?i)[\\\\x-\\x{10ffff}]",
                "(?i)[\\\\x{9999}-\\x{ffff}]",
                "(?i)[\\Qa\\E-\\x{ffff}]",
            })
    void they_are_refused_wherever_they_may_be_meant(String regex) {
        assertThatThrownBy(() -> new RegularExpression(regex))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("characters from U\\+1C80 to U\\+1C88 cannot be matched regardless of case,"
                        + " at character \\d+");
    }

    @ParameterizedTest
    @CsvSource({
        "(?i)/\u0432\u0415\u0411, /\u0412\u0435\u0431",
        "(?i)/\u00b5\u03c2\u017f, /\u039c\u03a3s",
        "(?i)[\u00e0-\u1c7f]+, \u00c0",
        "(?i)\u5546\u54c1, \u5546\u54c1",
        "(?i)[\u4e00-\u9fa5]+, \u5546\u54c1",
        "(?i)[\\x{4e00}-\\x{9fa5}]+, \u5546\u54c1",
        "(?i)\\p{Cyrillic}, \u0411",
        "(?i)[^\\p{Greek}], \u1c80",
        "/\u1c80, /\u1c80",
        "[\\x{100}-\\x{10ffff}], \u1c80",
    })
    void other_letters_match_as_written_or_regardless_of_case(String regex, String text) {
        assertThat(new RegularExpression(regex).matches(text)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/subscriptions/[^/]+/pools/.*, true",
        ".*/pools/(web|api), true",
        "/subscriptions/.*/lanes/.*, false",
        "/subscriptions/, false",
        "(?i)/SUBSCRIPTIONS/.*, true",
        "/sub&&scriptions/.*, false",
        "'/subscriptions/s{,5}.*', false",
        "/subscriptions/[[:alpha:]]*/pools/web, true",
        "/subscriptions/\\Qsss\\Es*/pools/web, true",
        "/subscriptions/(?P<id>s+)/pools/web, true"
    })
    void ordinary_expressions_match_whole_texts(String regex, boolean matches) {
        String path = "/subscriptions/" + "s".repeat(8_000) + "/pools/web";
        assertThat(new RegularExpression(regex).matches(path)).isEqualTo(matches);
    }

    @Test
    void expressions_are_equal_if_written_alike() {
        assertThat(new RegularExpression("a.*"))
                .isEqualTo(new RegularExpression("a.*"))
                .isNotEqualTo(new RegularExpression("a.+"))
                .hasSameHashCodeAs(new RegularExpression("a.*"))
                .hasToString("a.*");
    }
}
