package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** The counted copies are those that the compiler makes, whatever quotes, classes and flags surround a repeat. */
class ExpressionLimitsPropertyTest {

    private static final List<String> PARTS = List.of(
            "a",
            "(",
            ")",
            "(?:",
            "(?i)",
            "(?i:",
            "(?-s)",
            "[",
            "]",
            "[^",
            "[]",
            "[[:alpha:]]",
            "[:",
            ":]",
            "\\Q",
            "\\E",
            "\\(",
            "\\]",
            "\\x{61}",
            "\\x{",
            "}",
            "{",
            "{30}",
            "{2,30}",
            "{30,}",
            "{,30}",
            "{0}",
            "{030}",
            "|",
            "*",
            "+?",
            "?",
            "^",
            "$",
            "\\b",
            "\\pL",
            "\\",
            "(?P<n>",
            "(?<m>",
            ",",
            "-",
            "9",
            "(?",
            "(?i");

    /** An element compiles to five instructions at most, and is copied as often as was counted. */
    @Property(tries = 20_000)
    void no_spelling_hides_copies(@ForAll("expressions") String regex) {
        long copies;
        try {
            copies = ExpressionLimits.check(regex);
        } catch (IllegalArgumentException e) {
            Statistics.label("expressions").collect("too many copies");
            return;
        }
        int size;
        try {
            size = Pattern.compile(regex).programSize();
        } catch (PatternSyntaxException e) {
            Statistics.label("expressions").collect("not RE2's");
            return;
        }
        Statistics.label("expressions").collect(copies > 1 ? "repeats" : "no repeat");
        assertThat((long) size).as(regex).isLessThanOrEqualTo(5L * (regex.length() + 1) * Math.max(1, copies));
        Statistics.label("expressions").coverage(coverage -> {
            coverage.check("repeats").percentage(share -> share > 1);
            coverage.check("too many copies").percentage(share -> share > 1);
        });
    }

    @Provide
    Arbitrary<String> expressions() {
        Arbitrary<String> between = parts(2);
        return Arbitraries.oneOf(
                parts(10),
                Combinators.combine(between, between, between, between)
                        .as((before, in, after, behind) -> before + "(?:a{300}" + in + ")" + after + "{300}" + behind));
    }

    private static Arbitrary<String> parts(int most) {
        return Arbitraries.of(PARTS).list().ofMaxSize(most).map(parts -> String.join("", parts));
    }
}
