package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.TextTypes.Choice;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Logger names, each with a level. */
public record Loggers() implements KeyType<Map<String, Level>> {

    /** The levels that a logger may have. */
    public static final Choice<Level> LEVELS = Choice.of(List.of(Level.ERROR, Level.WARN, Level.INFO, Level.DEBUG));

    @Override
    public String allowed() {
        return "an object with logger names, each with " + LEVELS.allowed();
    }

    @Override
    public @Nullable Map<String, Level> read(Field field) {
        if (!field.value().isObject()) {
            field.mustBe(allowed());
            return null;
        }
        Map<String, Level> levels = new TreeMap<>();
        field.value().properties().forEach(logger -> {
            Level level = LEVELS.read(new Field(
                    logger.getValue(),
                    field.origin(),
                    field.file(),
                    (place, problem) -> field.faultAt("[" + logger.getKey() + "]" + place, problem)));
            if (level != null) {
                levels.put(logger.getKey(), level);
            }
        });
        return Map.copyOf(levels);
    }

    @Override
    public String shown(Map<String, Level> value) {
        return value.isEmpty()
                ? "none"
                : new TreeMap<>(value)
                        .entrySet().stream()
                                .map(logger -> logger.getKey() + ": " + LEVELS.shown(logger.getValue()))
                                .collect(Collectors.joining(", "));
    }
}
