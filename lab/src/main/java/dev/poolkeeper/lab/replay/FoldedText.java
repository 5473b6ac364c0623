package dev.poolkeeper.lab.replay;

import java.util.ArrayList;
import java.util.List;

/** Long lines of text, folded between words. */
public final class FoldedText {

    private FoldedText() {}

    /**
     * Folds a line. A word that is longer than a line is not split.
     *
     * @param width the number of columns, above {@code indent}
     * @param indent the indentation of every line except the first
     */
    public static List<String> of(String line, int width, int indent) {
        List<String> lines = new ArrayList<>();
        String rest = line;
        while (rest.length() > width) {
            int end = rest.lastIndexOf(' ', width);
            int firstWord = rest.length() - rest.stripLeading().length();
            if (end <= firstWord) {
                end = rest.indexOf(' ', firstWord);
            }
            if (end < 0) {
                break;
            }
            lines.add(rest.substring(0, end).stripTrailing());
            rest = " ".repeat(indent) + rest.substring(end).strip();
        }
        lines.add(rest);
        return lines;
    }
}
