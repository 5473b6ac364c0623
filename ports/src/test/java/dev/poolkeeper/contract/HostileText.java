package dev.poolkeeper.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Text that must not reach a terminal, a log, an Event, a page or a report as it is. */
public final class HostileText {

    /** The word that must never begin a line. */
    private static final String FORGED = "FORGED";

    /** Sets a terminal's title, colours it, reverses the direction, and forges a line. */
    public static final String SHORT = "x\u001b]0;title\u0007\u009b31m\u202egnp\u2066\u200f\u061c\u2028" + FORGED
            + "\r\n" + FORGED + " \"quoted\" \\";

    /** Every unsafe character of the basic plane, except single halves of pairs, and a line to forge. */
    public static final String ALL = IntStream.rangeClosed(0, 0xffff)
                    .filter(HostileText::isUnsafe)
                    .filter(character -> character < 0xd800 || character > 0xdfff)
                    .mapToObj(Character::toString)
                    .collect(Collectors.joining("a"))
            + "\n" + FORGED;

    private HostileText() {}

    /** Written down here once more, on purpose, so that no test asks the code under test. */
    public static boolean isUnsafe(int character) {
        return character < 0x20
                || character >= 0x7f && character <= 0x9f
                || character == 0xad
                || character == 0x61c
                || character >= 0x200b && character <= 0x200f
                || character >= 0x2028 && character <= 0x202e
                || character >= 0x2060 && character <= 0x206f && character != 0x2065
                || character >= 0xd800 && character <= 0xdfff
                || character == 0xfeff;
    }

    /** Asserts that these bytes are safe lines of UTF-8. */
    public static void assertSafe(byte[] bytes) {
        String text = new String(bytes, UTF_8);
        assertThat(text.getBytes(UTF_8)).isEqualTo(bytes);
        assertThat(text.codePoints()
                        .filter(character -> isUnsafe(character) && character != '\n' && character != '\t')
                        .mapToObj(Integer::toHexString)
                        .distinct())
                .as("unsafe characters in: " + text)
                .isEmpty();
        assertThat(text.lines().filter(line -> line.strip().startsWith(FORGED)))
                .as("forged lines in: " + text)
                .isEmpty();
    }

    /** As above. */
    public static void assertSafe(String text) {
        assertSafe(text.getBytes(UTF_8));
    }
}
