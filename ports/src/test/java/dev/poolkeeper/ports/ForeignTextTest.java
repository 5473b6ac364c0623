package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.contract.Rule;
import org.junit.jupiter.api.Test;

class ForeignTextTest {

    @Test
    @Rule(
            id = "X20",
            says = "Text of others reaches terminals, logs, Events, pages and reports as one line without control"
                    + " characters (C0, C1), bidirectional and other format characters and line separators.",
            source = "ours")
    void every_unsafe_character_is_replaced() {
        for (int character = 0; character <= Character.MAX_VALUE; character++) {
            String line = ForeignText.line("a" + (char) character + "b");
            boolean isBreak = character == '\n' || character == '\r';
            assertThat(line)
                    .as(Integer.toHexString(character))
                    .isEqualTo(
                            isBreak
                                    ? "a b"
                                    : HostileText.isUnsafe(character) || isRareFormat(character)
                                            ? "a?b"
                                            : "a" + (char) character + "b");
        }
        HostileText.assertSafe(ForeignText.line(HostileText.ALL));
    }

    /** Format characters of single scripts. */
    private static boolean isRareFormat(int character) {
        return character >= 0x600 && character <= 0x605
                || character == 0x6dd
                || character == 0x70f
                || character == 0x890
                || character == 0x891
                || character == 0x8e2
                || character == 0x180e
                || character >= 0xfff9 && character <= 0xfffb;
    }

    @Test
    void pairs_of_surrogates_are_kept_and_halves_are_not() {
        assertThat(ForeignText.line("a \ud83d\ude00 b \ud83d c \ude00")).isEqualTo("a \ud83d\ude00 b ? c ?");
    }

    @Test
    void a_tag_of_the_supplementary_planes_is_replaced() {
        assertThat(ForeignText.line("a" + Character.toString(0xe0041))).isEqualTo("a?");
    }

    @Test
    void several_line_breaks_become_one_space() {
        assertThat(ForeignText.line("one \r\n\r\n two\nthree")).isEqualTo("one two three");
    }

    @Test
    void blanks_elsewhere_stay() {
        assertThat(ForeignText.line(" a  b \t\n c  ")).isEqualTo(" a  b c  ");
        assertThat(ForeignText.line("\n")).isEqualTo(" ");
        assertThat(ForeignText.line("a \u00a0\n")).isEqualTo("a \u00a0 ");
    }

    /** An expression that looks for the break after each blank would need some hours. */
    @Test
    void a_million_blanks_take_linear_time() {
        String blanks = " ".repeat(1_000_000);
        assertThat(ForeignText.line(blanks + "a\nb")).isEqualTo(blanks + "a b");
    }

    @Test
    void a_block_keeps_its_lines() {
        assertThat(ForeignText.block("one\n\ttwo\u001b[31m\r\n")).isEqualTo("one\n\ttwo?[31m?\n");
    }

    @Test
    void a_quoted_value_ends_only_where_it_ends() {
        assertThat(ForeignText.quoted("a\" b=\"c\\\n\r\t\u001b\u2028d")).isEqualTo("\"a\\\" b=\\\"c\\\\\\n\\r\\t??d\"");
    }

    @Test
    void safe_text_is_returned_as_it_is() {
        String text = "Zürich, 東京, 10.0.0.1";
        assertThat(ForeignText.line(text)).isSameAs(text);
        assertThat(ForeignText.block(text)).isSameAs(text);
    }
}
