package dev.poolkeeper.fake.cloud;

/**
 * A name pattern: {@code *} matches any number of characters, {@code ?} exactly one. Case-sensitive. The cost of a
 * match is at most the length of the pattern times that of the name.
 *
 * @param pattern the pattern
 */
public record Glob(String pattern) {

    /** Matches every name. */
    public static final Glob ANY = new Glob("*");

    public boolean matches(String name) {
        int p = 0;
        int n = 0;
        int star = -1;
        int resume = 0;
        while (n < name.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = n;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == name.charAt(n))) {
                p++;
                n++;
            } else if (star >= 0) { // let the last star match one more character
                p = star + 1;
                n = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    @Override
    public String toString() {
        return pattern;
    }
}
