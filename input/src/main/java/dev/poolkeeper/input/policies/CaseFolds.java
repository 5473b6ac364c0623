package dev.poolkeeper.input.policies;

/**
 * Characters that RE2/J cannot match regardless of case: it goes from one case to the next until it is back at the
 * first, and from these it never comes back, so compiling would not end. They are younger than its tables.
 */
final class CaseFolds {

    static final int FIRST = 0x1c80;
    static final int LAST = 0x1c88;

    private CaseFolds() {}

    /**
     * Looks at each place as if an escape or a range could be there: what is quoted, or in a part that does respect
     * case, is refused too.
     *
     * @throws IllegalArgumentException with the reason if the expression may need them regardless of case
     */
    static void check(String regex) {
        if (!ignoresCase(regex)) {
            return;
        }
        for (int at = 0; at < regex.length(); at++) {
            int end = endOfEscape(regex, at);
            int read = end < 0 ? regex.codePointAt(at) : escaped(regex, at, end);
            if (read >= FIRST && (read <= LAST || isRangeFromBelow(regex, at))) {
                throw new IllegalArgumentException(
                        "characters from U+%04X to U+%04X cannot be matched regardless of case, at character %s"
                                .formatted(FIRST, LAST, regex.codePointCount(0, at) + 1));
            }
        }
    }

    /** Whether a range that begins at or before the last of them may end here; in doubt it does. */
    private static boolean isRangeFromBelow(String regex, int at) {
        int hyphen = at - 1;
        if (hyphen < 1 || regex.charAt(hyphen) != '-') {
            return false;
        }
        int escape = regex.lastIndexOf("\\x", hyphen - 1);
        boolean isEscape = escape >= 0
                && endOfEscape(regex, escape) == hyphen
                && (escape == 0 || regex.charAt(escape - 1) != '\\'); // which may itself be what is escaped
        int from = isEscape ? escaped(regex, escape, hyphen) : regex.codePointBefore(hyphen);
        return from <= LAST;
    }

    private static boolean ignoresCase(String regex) {
        for (int at = regex.indexOf("(?"); at >= 0; at = regex.indexOf("(?", at + 1)) {
            for (int flag = at + 2; flag < regex.length() && Character.isLetter(regex.charAt(flag)); flag++) {
                if (regex.charAt(flag) == 'i') {
                    return true;
                }
            }
        }
        return false;
    }

    /** Behind {@code \x{1c80}} or {@code \x41}; negative if there is no such escape. */
    private static int endOfEscape(String regex, int at) {
        if (!regex.startsWith("\\x", at)) {
            return -1;
        }
        int end = regex.startsWith("{", at + 2) ? regex.indexOf('}', at) + 1 : at + 4;
        return end <= at || end > regex.length() ? -1 : end;
    }

    /** Negative for no number of a character: RE2/J refuses it. */
    private static int escaped(String regex, int at, int end) {
        try {
            return Integer.parseInt(regex.substring(at + 2, end).replaceAll("[{}]", ""), 16);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
