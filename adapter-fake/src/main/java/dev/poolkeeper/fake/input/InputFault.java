package dev.poolkeeper.fake.input;

/**
 * Something wrong with a file or option, for the person who wrote it.
 *
 * @param source the file or option
 * @param place where in it, empty for all of it
 * @param problem what was found and what is allowed
 */
public record InputFault(String source, String place, String problem) {

    /** One line: {@code source: place: problem}. */
    @Override
    public String toString() {
        String text = place.isEmpty() ? source + ": " + problem : source + ": " + place + ": " + problem;
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
