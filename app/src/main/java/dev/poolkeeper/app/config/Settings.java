package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.poolkeeper.app.config.Configuration.EffectiveValue;
import dev.poolkeeper.input.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one configuration file: what takes effect for each key, and where it comes from. Rules that concern
 * several keys add their faults and replace what does not take effect. Used by one thread.
 */
final class Settings {

    /** Stands for a value that there is not. */
    private static final String NONE = "none";

    private final JsonObject root;
    private final Path file;
    private final Map<String, String> environment;
    private final Map<Key<?>, Setting<?>> settings = new LinkedHashMap<>();
    private final List<EffectiveValue> more = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private Settings(JsonObject root, Path file, Map<String, String> environment) {
        this.root = root;
        this.file = file;
        this.environment = environment;
    }

    /**
     * Reads keys in the order given; faults go where those of {@code root} go.
     *
     * @param root the file's content, its keys in their own spelling
     * @param environment the environment's variables
     */
    static Settings read(JsonObject root, Path file, Map<String, String> environment, List<Key<?>> keys) {
        Settings settings = new Settings(root, file, environment);
        keys.forEach(key -> settings.settings.put(key, key.read(settings)));
        return settings;
    }

    /** What is said for a key: by the environment, where it counts for that key, else by the file. */
    Optional<Field> field(Key<?> key) {
        boolean isVariable = isFromEnvironment(key);
        JsonNode value = isVariable ? TextNode.valueOf(variable(key.variable())) : inFile(key.name());
        String origin = isVariable ? "environment: " + key.variable() : file.toString();
        boolean isSaid = !value.isMissingNode()
                && !value.isNull()
                && !(value.isTextual() && value.textValue().isBlank());
        return isSaid
                ? Optional.of(
                        new Field(value, origin, file, (place, problem) -> root.fault(key.name() + place, problem)))
                : Optional.empty();
    }

    private JsonNode inFile(String name) {
        JsonObject holder = root;
        String[] names = name.split("\\.");
        for (int i = 0; i < names.length - 1; i++) {
            holder = holder.object(names[i]);
        }
        return holder.node().path(names[names.length - 1]);
    }

    /** Whether the environment or the file says something for a key, right or wrong. */
    boolean isSet(Key<?> key) {
        return field(key).isPresent();
    }

    /** Whether the environment says something for a key that it stands above. */
    boolean isFromEnvironment(Key<?> key) {
        return !key.variable().isEmpty() && !variable(key.variable()).isEmpty();
    }

    /** A variable of the environment; empty where it is not set. */
    String variable(String name) {
        String value = environment.getOrDefault(name, "");
        return value.isBlank() ? "" : value;
    }

    /** The environment's variables. */
    Map<String, String> environment() {
        return environment;
    }

    /** The configuration file. */
    Path file() {
        return file;
    }

    /** Whether the file has a key that holds others. */
    boolean has(String holder) {
        return root.has(holder);
    }

    /**
     * The value of a key that always has one.
     *
     * @throws IllegalStateException if it has none
     */
    <T> T get(Key<T> key) {
        @Nullable T value = find(key);
        if (value == null) {
            throw new IllegalStateException(key.name() + " has no value and no default");
        }
        return value;
    }

    /** The value of a key; null: it has none. */
    <T> @Nullable T find(Key<T> key) {
        return setting(key).value();
    }

    /** Where a key's value comes from. */
    String originOf(Key<?> key) {
        return setting(key).origin();
    }

    @SuppressWarnings("unchecked") // filled from keys of the same type
    private <T> Setting<T> setting(Key<T> key) {
        Setting<?> setting = settings.get(key);
        if (setting == null) {
            throw new IllegalStateException(key.name() + " is used before it is read");
        }
        return (Setting<T>) setting;
    }

    /** Adds a fault about a key. */
    void fault(Key<?> key, String problem) {
        fault(key.name(), problem);
    }

    /** @param place a key's name, or a place in its value */
    void fault(String place, String problem) {
        root.fault(place, problem);
    }

    /** Adds a fault about a key that is not set and has to be. */
    void require(Key<?> key, String why) {
        if (!isSet(key)) {
            fault(key, "is missing, " + why);
        }
    }

    /** What takes effect is not what is set. */
    <T> void replace(Key<T> key, @Nullable T value, String origin) {
        settings.put(key, new Setting<>(value, origin));
    }

    /** A value that is set has no effect; the reason is shown as its origin. */
    void disable(Key<?> key, String reason) {
        replace(key, null, isSet(key) ? originOf(key) + ": " + reason : originOf(key));
    }

    /** Shows something that takes effect and is no key's value. */
    void show(String name, String value, String origin) {
        more.add(new EffectiveValue(name, value, origin));
    }

    /** What an operator should know about the settings. */
    void note(String note) {
        notes.add(note);
    }

    List<String> notes() {
        return notes;
    }

    /** Every setting as it takes effect, in the order in which the keys were read. */
    List<EffectiveValue> effective() {
        List<EffectiveValue> values = new ArrayList<>();
        settings.forEach((key, setting) -> values.add(effective(key)));
        values.addAll(more);
        return values;
    }

    private <T> EffectiveValue effective(Key<T> key) {
        Setting<T> setting = setting(key);
        T value = setting.value();
        return new EffectiveValue(key.name(), value == null ? NONE : key.type().shown(value), setting.origin());
    }
}
