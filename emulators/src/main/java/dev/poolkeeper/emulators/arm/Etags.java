package dev.poolkeeper.emulators.arm;

import org.jspecify.annotations.Nullable;

/** Checks the conditional headers of a write. */
final class Etags {

    private Etags() {}

    /** The response to a write whose condition does not hold; null if it holds or there is none. */
    static @Nullable SentAnswer refuse(ReceivedCall call, String id, @Nullable String current) {
        String ifMatch = call.header("If-Match");
        if (ifMatch != null && !(ifMatch.strip().equals("*") ? current != null : matches(ifMatch, current))) {
            return current == null
                    ? Errors.preconditionFailed("Etag provided in if-match header " + shown(ifMatch)
                            + " matches nothing: resource " + id + " does not exist in NRP data store.")
                    : Errors.preconditionFailed("Etag provided in if-match header " + shown(ifMatch)
                            + " does not match etag " + current + " of resource " + id + " in NRP data store.");
        }
        String ifNoneMatch = call.header("If-None-Match");
        if (ifNoneMatch != null
                && current != null
                && (ifNoneMatch.strip().equals("*") || matches(ifNoneMatch, current))) {
            return Errors.preconditionFailed("Etag provided in if-none-match header " + shown(ifNoneMatch)
                    + " matches etag " + current + " of resource " + id + " in NRP data store.");
        }
        return null;
    }

    private static boolean matches(String given, @Nullable String current) {
        return current != null && bare(given).equals(bare(current));
    }

    /** The ETag as Azure shows it in messages: {@code W/"…"}, regardless of how it was sent. */
    private static String shown(String etag) {
        return etag.strip().equals("*") ? "*" : "W/\"" + bare(etag) + "\"";
    }

    private static String bare(String etag) {
        String text = etag.strip();
        text = text.startsWith("W/") ? text.substring(2) : text;
        return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
    }
}
