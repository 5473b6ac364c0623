package dev.poolkeeper.app.config;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Suggests the name that a typo probably meant. */
final class Nearest {

    /** One typo is tolerated for this many letters. */
    private static final int LETTERS_FOR_A_MISTAKE = 4;

    private Nearest() {}

    /** The known name that is closest to the typed one; empty if none is close. */
    static Optional<String> to(String typed, List<String> known) {
        String lower = typed.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(name -> isClose(lower, name.toLowerCase(Locale.ROOT)))
                .min(Comparator.comparingInt(name -> distance(lower, name.toLowerCase(Locale.ROOT))));
    }

    private static boolean isClose(String typed, String name) {
        int least = Math.min(typed.length(), name.length());
        boolean isBeginning = least > LETTERS_FOR_A_MISTAKE && (name.startsWith(typed) || typed.startsWith(name));
        return isBeginning || distance(typed, name) <= Math.max(1, least / LETTERS_FOR_A_MISTAKE);
    }

    /** The Levenshtein distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
