package dev.poolkeeper.ports;

import java.util.regex.Pattern;

/** Formats any text for use in the middle of a sentence: one line, no full stop at the end. */
final class OneLine {

    private static final Pattern LINE_BREAKS = Pattern.compile("\\s*[\\r\\n]+\\s*");

    private OneLine() {}

    static String of(String text) {
        String line = LINE_BREAKS.matcher(text.strip()).replaceAll(" ");
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }
}
