package dev.poolkeeper.azure.identity;

import dev.poolkeeper.azure.http.InvalidAnswerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The actions granted by one role: those that {@code actions} match and {@code notActions} do not. A {@code *} matches
 * any text, including slashes; matching is case-insensitive. {@code notActions} do not deny anything: another role may
 * grant the excluded actions.
 *
 * <p>Source: Microsoft Learn, <em>Understand Azure role definitions</em>.
 */
record GrantedActions(List<String> actions, List<String> notActions) {

    /** @throws InvalidAnswerException if the element is not a permission */
    static Optional<GrantedActions> of(@Nullable Object element) throws InvalidAnswerException {
        if (!(element instanceof Map<?, ?> permission)) {
            throw new InvalidAnswerException("an element of value is not an object");
        }
        return Optional.of(new GrantedActions(
                texts("actions", permission.get("actions")), texts("notActions", permission.get("notActions"))));
    }

    private static List<String> texts(String field, @Nullable Object value) throws InvalidAnswerException {
        List<String> texts = new ArrayList<>();
        if (value == null) {
            return texts;
        }
        if (!(value instanceof List<?> elements)) {
            throw new InvalidAnswerException(field + " is not an array");
        }
        for (Object element : elements) {
            if (!(element instanceof String text)) {
                throw new InvalidAnswerException("an element of " + field + " is not a string");
            }
            texts.add(text);
        }
        return texts;
    }

    boolean grants(String action) {
        return isAmong(actions, action) && !isAmong(notActions, action);
    }

    private static boolean isAmong(List<String> patterns, String action) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, action));
    }

    /** Finds the parts between the stars from left to right without backtracking. */
    private static boolean matches(String pattern, String action) {
        String[] parts = pattern.split(Pattern.quote("*"), -1);
        if (parts.length == 1) {
            return pattern.equalsIgnoreCase(action);
        }
        String first = parts[0];
        String last = parts[parts.length - 1];
        int end = action.length() - last.length();
        if (end < first.length()
                || !action.regionMatches(true, 0, first, 0, first.length())
                || !action.regionMatches(true, end, last, 0, last.length())) {
            return false;
        }
        int from = first.length();
        for (int i = 1; i < parts.length - 1; i++) {
            while (from + parts[i].length() <= end
                    && !action.regionMatches(true, from, parts[i], 0, parts[i].length())) {
                from++;
            }
            from += parts[i].length();
            if (from > end) {
                return false;
            }
        }
        return true;
    }
}
