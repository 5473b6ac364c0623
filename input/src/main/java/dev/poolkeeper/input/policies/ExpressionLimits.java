package dev.poolkeeper.input.policies;

/**
 * Bounds what RE2/J is given to compile. Compiling is recursive and copies what is repeated, so an expression of a few
 * characters could otherwise take all memory or stack. Reads the text once, with RE2's rules of quoting. Used once.
 */
final class ExpressionLimits {

    static final int LONGEST = 1_024;
    static final int DEEPEST = 100;
    static final int MOST_COPIES = 1_000;

    private final String regex;
    private final long[] copies = new long[DEEPEST + 1]; // of the repeats at each depth, before their group repeats
    private int at;
    private int depth;
    private long last; // copies in the element before a repeat

    private ExpressionLimits(String regex) {
        this.regex = regex;
    }

    /**
     * The number of copies that its repeats make.
     *
     * @throws IllegalArgumentException with the reason if the expression exceeds a limit
     */
    static long check(String regex) {
        int length = regex.codePointCount(0, regex.length());
        if (length > LONGEST) {
            throw new IllegalArgumentException("it has " + length + " characters, must have " + LONGEST + " at most");
        }
        return new ExpressionLimits(regex).read();
    }

    private long read() {
        while (at < regex.length()) {
            switch (regex.charAt(at)) {
                case '\\' -> escape();
                case '[' -> characterClass();
                case '(' -> open();
                case ')' -> close();
                case '{' -> repeat();
                case '*', '+', '?' -> at++; // one copy
                default -> element(at + 1);
            }
        }
        return copies[0];
    }

    private void element(int end) {
        last = 0;
        at = end;
    }

    private void open() {
        int end = regex.indexOf(')', at);
        if (end > at + 1
                && regex.startsWith("(?", at)
                && regex.substring(at + 2, end).matches("[a-zA-Z-]*")) {
            at = end + 1; // flags are no element: a repeat behind them is of the one before
            return;
        }
        depth++;
        if (depth > DEEPEST) {
            throw refused("groups are nested more than " + DEEPEST + " deep");
        }
        copies[depth] = 0;
        element(at + 1);
    }

    private void close() {
        if (depth > 0) {
            last = copies[depth--];
            copies[depth] += last;
        }
        at++;
    }

    /** A brace that begins no repeat is a character. */
    private void repeat() {
        int end = regex.indexOf('}', at);
        String counts = end < 0 ? "" : regex.substring(at + 1, end);
        String digits = counts.replaceFirst(",", "");
        if (counts.startsWith(",") || digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            element(at + 1);
            return;
        }
        long most = 1;
        for (String count : counts.split(",")) {
            most = Math.max(most, count.length() > 4 ? MOST_COPIES + 1 : Integer.parseInt(count));
        }
        long repeated = most * Math.max(1, last);
        copies[depth] += repeated - last;
        last = repeated;
        if (copies[depth] > MOST_COPIES) {
            throw refused("repeats add up to more than " + MOST_COPIES + " copies");
        }
        at = end + 1;
    }

    private void escape() {
        int next = at + 1;
        if (regex.startsWith("Q", next)) {
            int end = regex.indexOf("\\E", next);
            if (end == next + 1) {
                at = end + 2; // no element either
            } else {
                element(end < 0 ? regex.length() : end + 2);
            }
            return;
        }
        boolean isNamed = next + 1 < regex.length() && "xpP".indexOf(regex.charAt(next)) >= 0;
        int end = isNamed && regex.charAt(next + 1) == '{' ? regex.indexOf('}', next) : next;
        element(end < 0 ? regex.length() : end + 1);
    }

    /** Its first character may be a bracket; {@code [:name:]} holds one, too. */
    private void characterClass() {
        int start = at;
        at += regex.startsWith("^", at + 1) ? 2 : 1;
        boolean isFirst = true;
        while (at < regex.length() && (isFirst || regex.charAt(at) != ']')) {
            isFirst = false;
            if (regex.startsWith("&&", at)) {
                throw refused("&& in a class is not supported");
            }
            int named = regex.startsWith("[:", at) ? regex.indexOf(":]", at + 2) : -1;
            if (named >= 0) {
                at = named + 2;
            } else if (regex.charAt(at) == '\\') {
                escape();
            } else {
                at++;
            }
        }
        if (at >= regex.length()) {
            at = start;
            throw refused("missing ]");
        }
        element(at + 1);
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(why + ", at character " + (at + 1));
    }
}
