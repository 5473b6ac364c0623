package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.poolkeeper.app.config.Configuration.EffectiveValue;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one configuration file: the effective value of each key and its origin. Rules across keys add faults
 * and replace values that have no effect. Used by one thread.
 */
final class Settings {

    /** Shown for a missing value. */
    private static final String NONE = "none";

    private final JsonObject root;
    private final Path file;
    private final Map<String, String> environment;
    private final Map<Key<?>, Setting<?>> settings = new LinkedHashMap<>();
    private final List<EffectiveValue> more = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Set<InputFault> faultsOfEnvironment = new LinkedHashSet<>();

    private Settings(JsonObject root, Path file, Map<String, String> environment) {
        this.root = root;
        this.file = file;
        this.environment = environment;
    }

    /**
     * Reads keys in the given order; faults go to those of {@code root}.
     *
     * @param root the content of the file, its keys already normalized
     * @param environment the environment's variables
     */
    static Settings read(JsonObject root, Path file, Map<String, String> environment, List<Key<?>> keys) {
        Settings settings = new Settings(root, file, environment);
        keys.forEach(key -> settings.settings.put(key, key.read(settings)));
        return settings;
    }

    /** The value set for a key: by the environment if the key has a variable that is set, else by the file. */
    Optional<Field> field(Key<?> key) {
        boolean isVariable = isFromEnvironment(key);
        JsonNode value = isVariable ? TextNode.valueOf(variable(key.variable())) : inFile(key.name());
        String origin = isVariable ? "environment: " + key.variable() : file.toString();
        boolean isSaid = !value.isMissingNode()
                && !value.isNull()
                && !(value.isTextual() && value.textValue().isBlank());
        return isSaid
                ? Optional.of(new Field(value, origin, file, (place, problem) -> fault(key, place, problem)))
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

    /** Whether the environment or the file sets a key, valid or not. */
    boolean isSet(Key<?> key) {
        return field(key).isPresent();
    }

    /** What sets a key: its environment variable, else the key itself. */
    String setterOf(Key<?> key) {
        return isFromEnvironment(key) ? key.variable() : key.name();
    }

    /** Whether a key is set by its environment variable. */
    boolean isFromEnvironment(Key<?> key) {
        return !key.variable().isEmpty() && !variable(key.variable()).isEmpty();
    }

    /** An environment variable; empty if it is not set. */
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

    /** Whether the file has this key with nested keys. */
    boolean has(String holder) {
        return root.has(holder);
    }

    /**
     * The value of a key that must have one.
     *
     * @throws IllegalStateException if it has no value
     */
    <T> T get(Key<T> key) {
        @Nullable T value = find(key);
        if (value == null) {
            throw new IllegalStateException(key.name() + " has no value and no default");
        }
        return value;
    }

    /** The value of a key; null for none. */
    <T> @Nullable T find(Key<T> key) {
        return setting(key).value();
    }

    /** The origin of a key's value. */
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

    /** Adds a fault about a key, or about its environment variable if that sets it. */
    void fault(Key<?> key, String problem) {
        fault(key, "", problem);
    }

    private void fault(Key<?> key, String place, String problem) {
        if (isFromEnvironment(key)) {
            faultsOfEnvironment.add(new InputFault(key.variable(), place, problem));
        } else {
            fault(key.name() + place, problem);
        }
    }

    /** The faults of environment variables that set keys. */
    Set<InputFault> faultsOfEnvironment() {
        return faultsOfEnvironment;
    }

    /** @param place a key's name, or a place in its value */
    void fault(String place, String problem) {
        root.fault(place, problem);
    }

    /** Adds a fault if a required key is not set. */
    void require(Key<?> key, String why) {
        if (!isSet(key)) {
            fault(key, "is missing, " + why);
        }
    }

    /** Replaces the effective value. */
    <T> void replace(Key<T> key, @Nullable T value, String origin) {
        settings.put(key, new Setting<>(value, origin));
    }

    /** Disables a key that has no effect; the reason is shown as its origin. */
    void disable(Key<?> key, String reason) {
        replace(key, null, isSet(key) ? originOf(key) + ": " + reason : originOf(key));
    }

    /** Shows an effective setting that is not a key's value. */
    void show(String name, String value, String origin) {
        more.add(new EffectiveValue(name, value, origin));
    }

    /** Adds a note for operators about the settings. */
    void note(String note) {
        notes.add(note);
    }

    List<String> notes() {
        return notes;
    }

    /** Every effective setting, in the order in which the keys were read. */
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
