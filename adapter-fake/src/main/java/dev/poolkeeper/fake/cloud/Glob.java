package dev.poolkeeper.fake.cloud;

/**
 * A name pattern: {@code *} stands for any number of characters, {@code ?} for one. Upper and lower case differ.
 * Matching costs at most pattern times name, whatever the pattern.
 *
 * @param pattern the pattern
 */
public record Glob(String pattern) {

    /** Fits every name. */
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
            } else if (star >= 0) { // let the last star take one character more
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
