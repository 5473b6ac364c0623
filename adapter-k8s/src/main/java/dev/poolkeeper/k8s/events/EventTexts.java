package dev.poolkeeper.k8s.events;

import dev.poolkeeper.ports.ForeignText;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Makes texts fit into a Kubernetes Event. The note omits the ids, instants and waits that ARM puts into its messages,
 * because they differ each time: equal failures then have equal notes and are counted as one Event.
 */
final class EventTexts {

    /** The API server's limit for a note, in bytes of UTF-8. */
    private static final int LONGEST_NOTE = 1024;

    /** A small part of the 256 KiB that all annotations of an object may have together. */
    private static final int LONGEST_MESSAGE = 16 * 1024;

    private static final String ELLIPSIS = "...";

    private static final String UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

    private static final Pattern ID_IN_PARENTHESES = Pattern.compile(" ?\\(" + UUID + "\\)");
    private static final Pattern INSTANT =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})");
    /** As in <em>The call can be retried in 14 seconds</em>. */
    private static final Pattern WAIT = Pattern.compile("\\b(?:in|after) '?\\d+'? (?:second|minute)s?\\b");
    /** Except a subscription's id, which does not change and identifies the subscription. */
    private static final Pattern ID = Pattern.compile("(?<!(?i:subscriptions/))\\b" + UUID + "\\b");

    private EventTexts() {}

    /** The text without the parts that differ between equal failures. */
    static String inCommon(String text) {
        String note = ID_IN_PARENTHESES.matcher(text).replaceAll("");
        note = INSTANT.matcher(note).replaceAll("(time)");
        note = WAIT.matcher(note).replaceAll("later");
        return ID.matcher(note).replaceAll("(id)");
    }

    /** The text as one safe line, cut to the API server's limit for a note. */
    static String note(String text) {
        return shortened(ForeignText.line(text), LONGEST_NOTE);
    }

    /** The full message, cut to what an annotation can hold. */
    static String message(String text) {
        return shortened(ForeignText.line(text), LONGEST_MESSAGE);
    }

    private static String shortened(String text, int longest) {
        if (text.getBytes(StandardCharsets.UTF_8).length <= longest) {
            return text;
        }
        CharBuffer left = CharBuffer.wrap(text);
        CoderResult unused = StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .encode(left, ByteBuffer.allocate(longest - ELLIPSIS.length()), true);
        return text.substring(0, left.position()) + ELLIPSIS;
    }
}
