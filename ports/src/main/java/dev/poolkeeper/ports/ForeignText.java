package dev.poolkeeper.ports;

/**
 * The only way out for text that others wrote: names, codes, messages and headers on their way to a terminal, a log, an
 * Event, a page or a report. Replaces each character that could move the cursor, start an escape sequence, end a line
 * or change the text's direction by a question mark: control characters (C0, DEL, C1), format characters (such as the
 * bidirectional ones), the separators U+2028 and U+2029, and halves of surrogate pairs.
 *
 * <p>Text that is already safe is returned as it is.
 */
public final class ForeignText {

    private static final char REPLACEMENT = '?';

    private ForeignText() {}

    /** The text as one line: a line break becomes a space, with the blanks around it. Takes linear time. */
    public static String line(String text) {
        boolean isBroken = text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
        return replaced(isBroken ? joined(text) : text, "");
    }

    private static String joined(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); ) {
            int end = at;
            boolean breaks = false;
            while (end < text.length() && isBlank(text.charAt(end))) {
                breaks |= text.charAt(end) == '\n' || text.charAt(end) == '\r';
                end++;
            }
            if (breaks) {
                line.append(' ');
            } else {
                end = Math.max(end, at + 1);
                line.append(text, at, end);
            }
            at = end;
        }
        return line.toString();
    }

    /** Space, tab, line feed, vertical tab, form feed or carriage return. */
    private static boolean isBlank(char character) {
        return character == ' ' || character >= '\t' && character <= '\r';
    }

    /** The text with its line feeds and tabs, for text that consists of lines, such as a stack trace. */
    public static String block(String text) {
        return replaced(text, "\n\t");
    }

    /** The text between double quotes as one line; line feeds, tabs, quotes and backslashes are escaped. */
    public static String quoted(String text) {
        String escaped = text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
        return '"' + replaced(escaped, "") + '"';
    }

    /** Whether this character, or half of a pair, is unsafe on its own. */
    public static boolean isUnsafe(int codePoint) {
        if (codePoint >= ' ' && codePoint < 0x7f) {
            return false;
        }
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private static String replaced(String text, String kept) {
        if (text.codePoints().allMatch(codePoint -> isKept(codePoint, kept))) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(codePoint -> safe.appendCodePoint(isKept(codePoint, kept) ? codePoint : REPLACEMENT));
        return safe.toString();
    }

    private static boolean isKept(int codePoint, String kept) {
        return !isUnsafe(codePoint) || kept.indexOf(codePoint) >= 0;
    }
}
