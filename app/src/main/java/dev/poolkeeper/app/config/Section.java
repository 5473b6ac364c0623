package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.Key.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Keys that belong together: one table of {@code docs/configuration.md}. */
public final class Section {

    private final String name;
    private final boolean isStrict;
    private final List<Key<?>> keys = new ArrayList<>();

    /**
     * @param name names the table
     * @param isStrict whether an unknown key next to these, inside of an object, is a fault and no warning
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

    /** In order of their declaration. */
    public List<Key<?>> keys() {
        return List.copyOf(keys);
    }

    /** Begins a declaration, which ends with one of {@code Declaration}'s {@code or…}. */
    <T> Declaration<T> key(String key, KeyType<T> type, String meaning) {
        return new Declaration<>(this, key, type, meaning);
    }

    /** A key that is being declared. */
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

        /** The environment variable that stands above the file. */
        Declaration<T> below(String environmentVariable) {
            variable = environmentVariable;
            return this;
        }

        Key<T> or(T value) {
            return or("`" + type.shown(value) + "`", settings -> Setting.byDefault(value));
        }

        Key<T> orThatOf(Key<T> other) {
            return or("`" + other.name() + "`", settings -> Setting.byDefault(settings.find(other)));
        }

        /** @param words what happens without it */
        Key<T> orNothing(String words) {
            return or(words, settings -> Setting.byDefault(null));
        }

        Key<T> or(String words, Function<Settings, Setting<T>> value) {
            Key<T> key = new Key<>(name, type, meaning, new Fallback<>(words, value), traits, variable);
            section.keys.add(key);
            return key;
        }
    }
}
