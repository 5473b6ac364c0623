package dev.poolkeeper.app.config;

import java.util.List;
import java.util.Optional;

/**
 * A key of the configuration file: everything that the reader, {@code check-config}, the documentation and the chart's
 * schema know about it.
 *
 * @param name its name; dots of a nested key stand for nested objects
 * @param type the allowed values and their format
 * @param meaning what it sets, as shown in the documentation
 * @param fallback its default
 * @param traits further properties
 * @param variable the environment variable that takes precedence over the file; empty: none
 */
public record Key<T>(
        String name, KeyType<T> type, String meaning, Fallback<T> fallback, List<Trait> traits, String variable) {

    /** Properties of some keys. */
    public enum Trait {
        /** A change takes effect in a running daemon. */
        LIVE,
        /** A Secret, or useless in a pod: the chart's values omit it. */
        NOT_IN_CHART,
        /** 0 is the default, as the cloud provider reads its keys. */
        ZERO_IS_DEFAULT
    }

    public Key {
        traits = List.copyOf(traits);
    }

    /** Whether this key has the trait. */
    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Its name. */
    @Override
    public String toString() {
        return name;
    }

    /** The effective value. An invalid value becomes a fault, and the default is used. */
    Setting<T> read(Settings settings) {
        return settings.field(this)
                .filter(field -> !isPlaceholder(field, settings))
                .flatMap(field -> Optional.ofNullable(type.read(field)).map(value -> setting(value, field, settings)))
                .orElseGet(() -> fallback.value().apply(settings));
    }

    /** The file's placeholders are faults already. */
    private boolean isPlaceholder(Field field, Settings settings) {
        boolean isOne = Placeholders.isOpen(name, field.value());
        if (isOne && settings.isFromEnvironment(this)) {
            field.fault(Placeholders.problem(name, field.value()));
        }
        return isOne;
    }

    private Setting<T> setting(T value, Field field, Settings settings) {
        return is(Trait.ZERO_IS_DEFAULT) && type.isZero(value)
                ? new Setting<>(fallback.value().apply(settings).value(), field.origin() + ": 0 is the default")
                : new Setting<>(value, field.origin());
    }
}
