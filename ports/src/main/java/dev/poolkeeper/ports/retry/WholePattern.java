package dev.poolkeeper.ports.retry;

import java.util.regex.Pattern;

/**
 * A regular expression that must match a whole text. Equal if written alike.
 *
 * <p>An expression that backtracks too often, such as {@code (a+)+b}, or recurses too deeply matches nothing, so that a
 * policy cannot stall the requests it applies to.
 */
public final class WholePattern {

    /** The limit of character reads per match; allows twelve passes over a path of 8 KiB. */
    private static final int MAX_STEPS = 100_000;

    private final Pattern pattern;

    /** @throws java.util.regex.PatternSyntaxException if it is not a regular expression */
    public WholePattern(String regex) {
        pattern = Pattern.compile(regex);
    }

    boolean matches(String text) {
        try {
            return pattern.matcher(new CountedText(text)).matches();
        } catch (TooManyStepsException | StackOverflowError e) {
            return false;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WholePattern that && pattern.pattern().equals(that.pattern.pattern());
    }

    @Override
    public int hashCode() {
        return pattern.pattern().hashCode();
    }

    @Override
    public String toString() {
        return pattern.pattern();
    }

    /** Aborts a match that takes too long: the text is the only way to interrupt the JDK's engine. */
    private static final class CountedText implements CharSequence {

        private final String text;
        private int steps;

        CountedText(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++steps > MAX_STEPS) {
                throw new TooManyStepsException();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final class TooManyStepsException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooManyStepsException() {
            super("", null, false, false);
        }
    }
}
