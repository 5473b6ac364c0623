package dev.poolkeeper.azure.http;

import java.util.regex.Pattern;

/** Removes tokens, secrets and the signed parts of URLs from texts. */
public final class Redaction {

    private static final int LONGEST = 1_000;

    private static final Pattern QUERY = Pattern.compile("(?i)(https?://[^\\s\"'<>?]{1,2048})\\?[^\\s\"'<>]*");
    private static final Pattern USER = Pattern.compile("(?i)(https?://)[^\\s/\"'<>@]{1,2048}@");
    private static final Pattern TOKEN = Pattern.compile("eyJ[A-Za-z0-9_=-]{8,}(?:\\.[A-Za-z0-9_=-]*){0,4}");
    private static final Pattern BEARER = Pattern.compile("(?i)\\bbearer[\\s\\p{Z}\\p{C}]+[A-Za-z0-9._~+/=-]{8,}");
    /** A name, whatever precedes it in its word, and its value, in quotes (also escaped ones) or without. */
    private static final Pattern ASSIGNMENT =
            Pattern.compile("(?i)\\b(\\w*(?:secret|password|assertion|access_token|refresh_token)|sig)"
                    + "(\\\\*[\"']?\\s*[=:]\\s*(?:\\\\*\"|')?)"
                    + "(?:(?<=\\\\\")[^\"]*+|(?<=\")[^\"]*+(?:(?<=\\\\)\"[^\"]*+){0,8}|(?<=')[^']*+|[^\\s&\"',}]+)");

    private Redaction() {}

    /** The text without secrets, truncated if very long. */
    public static String of(String text) {
        String cut = text.length() > 8 * LONGEST ? text.substring(0, 8 * LONGEST) : text;
        String safe = cut.contains("://") ? withoutSecretsOfUrls(cut) : cut;
        safe = TOKEN.matcher(safe).replaceAll("…");
        safe = BEARER.matcher(safe).replaceAll("Bearer …");
        safe = ASSIGNMENT.matcher(safe).replaceAll("$1$2…");
        return safe.length() > LONGEST ? safe.substring(0, LONGEST) + "…" : safe;
    }

    private static String withoutSecretsOfUrls(String text) {
        return USER.matcher(QUERY.matcher(text).replaceAll("$1?…")).replaceAll("$1…@");
    }
}
