package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.Key.Trait;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The parts of {@code docs/configuration.md} that are generated from the declarations of the keys. */
final class ConfigurationPage {

    /** The start of a generated part: {@code <!-- keys: NAME -->}, up to {@code <!-- end -->}. */
    private static final Pattern PART = Pattern.compile("<!-- keys: ([a-z ]+) -->\n.*?<!-- end -->\n", Pattern.DOTALL);

    private ConfigurationPage() {}

    /** The page with every part generated again from these sections. */
    static String filled(String page, List<Section> sections) {
        return PART.matcher(page)
                .replaceAll(part -> Matcher.quoteReplacement(
                        "<!-- keys: %s -->\n%s<!-- end -->\n".formatted(part.group(1), part(part.group(1), sections))));
    }

    private static String part(String name, List<Section> sections) {
        Section section = sections.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("the page has a table \"" + name + "\", no section is called so"));
        return "| key | meaning | allowed | default |\n|---|---|---|---|\n"
                + section.keys().stream().map(ConfigurationPage::row).collect(Collectors.joining());
    }

    static String row(Key<?> key) {
        return "| `%s`%s | %s | %s | %s |\n"
                .formatted(
                        key.name(),
                        key.is(Trait.LIVE) ? " *" : "",
                        cell(key.meaning()
                                + (key.is(Trait.ZERO_IS_DEFAULT) ? "; 0 is the default" : "")
                                + (key.variable().isEmpty() ? "" : "; `" + key.variable() + "` takes precedence")),
                        cell(range(key.type().allowed())),
                        cell(key.fallback().words()));
    }

    /** The page says once that numbers are whole, and leaves the bounds of {@code int} out. */
    private static String range(String allowed) {
        return allowed.replace("a whole number from ", "")
                .replace(Integer.MIN_VALUE + " to " + Integer.MAX_VALUE, "any")
                .replace(" to " + Integer.MAX_VALUE, " or more");
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
