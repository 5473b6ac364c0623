package dev.poolkeeper.emulators.arm;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The permissions of callers at every scope of the emulator: every action that matches one of {@code actions} and none
 * of {@code notActions}. A {@code *} matches any text; matching is case-insensitive.
 *
 * @param actions as in a role definition, such as <code>Microsoft.Network/&#42;/read</code>
 * @param notActions the actions excluded from them
 */
public record ArmRole(List<String> actions, List<String> notActions) {

    /** Allows every action. */
    public static final ArmRole OWNER = new ArmRole(List.of("*"), List.of());

    public ArmRole {
        actions = List.copyOf(actions);
        notActions = List.copyOf(notActions);
    }

    /** Allows only these actions. */
    public static ArmRole of(String... actions) {
        return new ArmRole(List.of(actions), List.of());
    }

    /** The same role without these actions. */
    public ArmRole without(String... newNotActions) {
        return new ArmRole(actions, List.of(newNotActions));
    }

    /** Whether an action is granted. */
    public boolean grants(String action) {
        return isAmong(actions, action) && !isAmong(notActions, action);
    }

    private static boolean isAmong(List<String> patterns, String action) {
        return patterns.stream().anyMatch(pattern -> pattern.equals("*") || matches(pattern, action));
    }

    private static boolean matches(String pattern, String action) {
        String expression = pattern.toLowerCase(Locale.ROOT)
                .chars()
                .mapToObj(character -> character == '*' ? ".*" : Pattern.quote(Character.toString(character)))
                .collect(Collectors.joining());
        return Pattern.matches(expression, action.toLowerCase(Locale.ROOT));
    }
}
