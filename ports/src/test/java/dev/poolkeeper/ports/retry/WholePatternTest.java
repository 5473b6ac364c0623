package dev.poolkeeper.ports.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholePatternTest {

    /** With an unbounded engine each of these takes years, or overflows the stack. */
    @ParameterizedTest
    @ValueSource(strings = {"/(a+)+b", "/(a|aa)+b", "/(a*)*b", "/(.*a){25}b", "/((a|b)*)*c"})
    @Rule(
            id = "P180",
            says = "A regular expression in a policy that takes too long on a text, or recurses too deeply,"
                    + " does not match it.",
            source = "ours")
    void an_expression_that_backtracks_without_end_does_not_match(String regex) {
        assertThat(new WholePattern(regex).matches("/" + "a".repeat(60))).isFalse();
        assertThat(new WholePattern(regex).matches("/" + "a".repeat(60_000))).isFalse();
    }

    @Test
    void ordinary_expressions_match_long_texts() {
        String path = "/subscriptions/" + "s".repeat(8_000) + "/pools/web";
        assertThat(new WholePattern("/subscriptions/[^/]+/pools/.*").matches(path))
                .isTrue();
        assertThat(new WholePattern(".*/pools/(web|api)").matches(path)).isTrue();
        assertThat(new WholePattern("/subscriptions/.*/lanes/.*").matches(path)).isFalse();
    }
}
