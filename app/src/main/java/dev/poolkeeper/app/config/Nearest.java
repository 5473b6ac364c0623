package dev.poolkeeper.app.config;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds what somebody probably meant to type. */
final class Nearest {

    private Nearest() {}

    static String to(String typed, List<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(
                        key -> distance(typed.toLowerCase(Locale.ROOT), key.toLowerCase(Locale.ROOT))))
                .orElseThrow();
    }

    /** Levenshtein's. */
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
