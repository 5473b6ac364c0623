package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.Key.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A group of keys: one table of {@code docs/configuration.md}. */
public final class Section {

    private final String name;
    private final boolean isStrict;
    private final List<Key<?>> keys = new ArrayList<>();

    /**
     * @param name the title of the table
     * @param isStrict whether an unknown key in the same object as these is a fault instead of a warning
     */
    Section(String name, boolean isStrict) {
        this.name = name;
        this.isStrict = isStrict;
    }

    public String name() {
        return name;
    }

    boolean isStrict() {
        return isStrict;
    }

    /** In declaration order. */
    public List<Key<?>> keys() {
        return List.copyOf(keys);
    }

    /** Starts a declaration, to be completed with one of {@code Declaration}'s {@code or…}. */
    <T> Declaration<T> key(String key, KeyType<T> type, String meaning) {
        return new Declaration<>(this, key, type, meaning);
    }

    /** An incomplete declaration of a key. */
    static final class Declaration<T> {

        private final Section section;
        private final String name;
        private final KeyType<T> type;
        private final String meaning;
        private final List<Trait> traits = new ArrayList<>();
        private String variable = "";

        private Declaration(Section section, String name, KeyType<T> type, String meaning) {
            this.section = section;
            this.name = name;
            this.type = type;
            this.meaning = meaning;
        }

        Declaration<T> with(Trait trait) {
            traits.add(trait);
            return this;
        }

        /** Sets the environment variable that takes precedence over the file. */
        Declaration<T> below(String environmentVariable) {
            variable = environmentVariable;
            return this;
        }

        Key<T> or(T value) {
            return or("`" + type.shown(value) + "`", settings -> Setting.byDefault(value));
        }

        Key<T> orValueOf(Key<T> other) {
            return or("`" + other.name() + "`", settings -> Setting.byDefault(settings.find(other)));
        }

        /** @param words what happens without a value */
        Key<T> orNone(String words) {
            return or(words, settings -> Setting.byDefault(null));
        }

        Key<T> or(String words, Function<Settings, Setting<T>> value) {
            Key<T> key = new Key<>(name, type, meaning, new Fallback<>(words, value), traits, variable);
            section.keys.add(key);
            return key;
        }
    }
}
