package dev.poolkeeper.ports.retry;

import java.util.regex.Pattern;

/** A regular expression that a whole text has to match. Equal where it is written alike. */
public final class WholePattern {

    private final Pattern pattern;

    /** @throws java.util.regex.PatternSyntaxException if it is none */
    public WholePattern(String regex) {
        pattern = Pattern.compile(regex);
    }

    boolean matches(String text) {
        return pattern.matcher(text).matches();
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
}
