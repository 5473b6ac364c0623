package dev.poolkeeper.input;

/**
 * Something wrong with a file or option, for the person who wrote it.
 *
 * @param source the file or option
 * @param place where in it, empty for all of it
 * @param problem what was found and what is allowed
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
     * A text as one line that a terminal shows as it is: without what moves the cursor or turns the writing round, and
     * shortened in the middle, for the end says what is allowed.
     */
    public static String line(String text) {
        String shortened = text.length() <= LONGEST
                ? text
                : text.substring(0, LONGEST - LONGEST_END) + "…" + text.substring(text.length() - LONGEST_END);
        return shortened.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", "?");
    }
}
