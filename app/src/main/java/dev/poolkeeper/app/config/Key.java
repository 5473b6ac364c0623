package dev.poolkeeper.app.config;

import java.util.List;
import java.util.Optional;

/**
 * A key of the configuration file: everything that reading, {@code check-config}, the documentation and the chart's
 * schema know about it.
 *
 * @param name its name; the dots of a nested key stand for objects in objects
 * @param type which values are allowed and how they are written
 * @param meaning what it sets, as the documentation puts it
 * @param fallback what takes effect where the key is not set
 * @param traits what else is true of it
 * @param variable the environment variable that stands above the file; empty: none
 */
public record Key<T>(
        String name, KeyType<T> type, String meaning, Fallback<T> fallback, List<Trait> traits, String variable) {

    /** What is true of some keys. */
    public enum Trait {
        /** A change takes effect in a running daemon. */
        LIVE,
        /** A Secret, or of no use in a pod: the chart's values do not take it. */
        NOT_IN_CHART,
        /** 0 is the default, as the cloud provider reads its keys. */
        ZERO_IS_DEFAULT
    }

    public Key {
        traits = List.copyOf(traits);
    }

    /** Whether that is true of this key. */
    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Its name. */
    @Override
    public String toString() {
        return name;
    }

    /** What takes effect. A value that is not allowed becomes a fault, and the fallback takes effect. */
    Setting<T> read(Settings settings) {
        return settings.field(this)
                .flatMap(field -> Optional.ofNullable(type.read(field)).map(value -> setting(value, field, settings)))
                .orElseGet(() -> fallback.value().apply(settings));
    }

    private Setting<T> setting(T value, Field field, Settings settings) {
        return is(Trait.ZERO_IS_DEFAULT) && type.isZero(value)
                ? new Setting<>(fallback.value().apply(settings).value(), field.origin() + ": 0 is the default")
                : new Setting<>(value, field.origin());
    }
}
