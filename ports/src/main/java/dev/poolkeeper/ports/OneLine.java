package dev.poolkeeper.ports;

/** Formats any text for use in the middle of a sentence: one safe line, no full stop at the end. */
final class OneLine {

    private OneLine() {}

    static String of(String text) {
        String line = ForeignText.line(text.strip());
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }
}
