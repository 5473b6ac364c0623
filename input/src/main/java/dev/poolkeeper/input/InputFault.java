package dev.poolkeeper.input;

import dev.poolkeeper.ports.ForeignText;

/**
 * A fault in a file or option, for the person who wrote it.
 *
 * @param source the file or option
 * @param place the location in it; empty for the whole source
 * @param problem the value found and the allowed values
 */
public record InputFault(String source, String place, String problem) {

    private static final int LONGEST = 1_000;
    private static final int LONGEST_END = 200;

    /** One line: {@code source: place: problem}. */
    @Override
    public String toString() {
        return line(place.isEmpty() ? source + ": " + problem : source + ": " + place + ": " + problem);
    }

    /**
     * Makes a text safe to print as one line ({@link ForeignText}), and shortens it in the middle, because the end
     * states the allowed values.
     */
    public static String line(String text) {
        String shortened = text.length() <= LONGEST
                ? text
                : text.substring(0, LONGEST - LONGEST_END) + "…" + text.substring(text.length() - LONGEST_END);
        return ForeignText.line(shortened);
    }
}
