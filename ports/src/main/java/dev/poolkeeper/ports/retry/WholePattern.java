package dev.poolkeeper.ports.retry;

import java.util.regex.Pattern;

/**
 * A regular expression that a whole text has to match. Equal where it is written alike.
 *
 * <p>An expression that would look at the text's characters too often, as {@code (a+)+b} does, or go too deep matches
 * nothing: who writes a policy cannot hold up the requests that it is for.
 */
public final class WholePattern {

    /** Of one match; a path of 8 KiB may be looked at twelve times over. */
    private static final int MOST_LOOKS = 100_000;

    private final Pattern pattern;

    /** @throws java.util.regex.PatternSyntaxException if it is none */
    public WholePattern(String regex) {
        pattern = Pattern.compile(regex);
    }

    boolean matches(String text) {
        try {
            return pattern.matcher(new CountedText(text)).matches();
        } catch (TooManyLooksException | StackOverflowError e) {
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

    /** Ends a match that takes too long: the JDK's engine can be ended by its text alone. */
    private static final class CountedText implements CharSequence {

        private final String text;
        private int looks;

        CountedText(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++looks > MOST_LOOKS) {
                throw new TooManyLooksException();
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

    private static final class TooManyLooksException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooManyLooksException() {
            super("", null, false, false);
        }
    }
}
