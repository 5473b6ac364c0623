package dev.poolkeeper.azure.identity;

import dev.poolkeeper.azure.http.UnfitAnswerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One role's say: what {@code actions} match and {@code notActions} do not. A {@code *} stands for any text, slashes
 * included, and case does not count. What one role takes back another may grant: {@code notActions} deny nothing.
 *
 * <p>Source: Microsoft Learn, <em>Understand Azure role definitions</em>.
 */
record GrantedActions(List<String> actions, List<String> notActions) {

    /** @throws UnfitAnswerException if the element is no permission */
    static Optional<GrantedActions> of(Map<?, ?> permission) throws UnfitAnswerException {
        return Optional.of(new GrantedActions(
                texts("actions", permission.get("actions")), texts("notActions", permission.get("notActions"))));
    }

    private static List<String> texts(String field, @Nullable Object value) throws UnfitAnswerException {
        List<String> texts = new ArrayList<>();
        if (value == null) {
            return texts;
        }
        if (!(value instanceof List<?> elements)) {
            throw new UnfitAnswerException(field + " is no array");
        }
        for (Object element : elements) {
            if (!(element instanceof String text)) {
                throw new UnfitAnswerException("an element of " + field + " is no text");
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

    /** Parts between the stars are found from left to right, so no pattern takes longer than its length asks for. */
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
