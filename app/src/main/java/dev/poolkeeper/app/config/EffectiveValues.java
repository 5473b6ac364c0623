package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.app.config.Configuration.EffectiveValue;
import dev.poolkeeper.input.JsonObject;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads keys and notes what takes effect, in the order of reading. A blank text counts as absent. */
final class EffectiveValues {

    static final String BY_DEFAULT = "default";

    /** Stands for a value that there is not. */
    static final String NONE = "none";

    /** Stands for a secret. */
    static final String MASK = "***";

    private final JsonObject keys;
    private final String file;
    private final String place;
    private final List<EffectiveValue> values;

    EffectiveValues(JsonObject keys, String file) {
        this(keys, file, "", new ArrayList<>());
    }

    private EffectiveValues(JsonObject keys, String file, String place, List<EffectiveValue> values) {
        this.keys = keys;
        this.file = file;
        this.place = place;
        this.values = values;
    }

    /** The keys that another holds; what they say is noted here too. */
    EffectiveValues within(String holder) {
        return new EffectiveValues(keys.object(holder), file, place + holder + ".", values);
    }

    void fault(String key, String problem) {
        keys.fault(key, problem);
    }

    List<EffectiveValue> all() {
        return List.copyOf(values);
    }

    void add(String key, @Nullable Object value, String origin) {
        values.add(new EffectiveValue(place + key, value == null ? NONE : value.toString(), origin));
    }

    /** Whether the file says nothing there. */
    boolean isAbsent(String key) {
        JsonNode value = keys.node().get(key);
        return value == null
                || value.isNull()
                || (value.isTextual() && value.textValue().isBlank());
    }

    String origin(String key) {
        return isAbsent(key) ? BY_DEFAULT : file;
    }

    /** Why a value of the file is not what takes effect; the default where the file says nothing. */
    String origin(String key, String remark) {
        return isAbsent(key) ? BY_DEFAULT : file + ": " + remark;
    }

    /** A text, null where it is absent or wrong; notes nothing. */
    @Nullable
    String peek(String key) {
        String text = keys.optionalString(key);
        return text == null || text.isBlank() ? null : text;
    }

    /** A text, null where it is absent or wrong. */
    @Nullable
    String text(String key) {
        String text = peek(key);
        add(key, text, origin(key));
        return text;
    }

    /**
     * A text.
     *
     * @param fallback what takes effect where it is absent or wrong
     * @param origin where the fallback comes from
     */
    String text(String key, String fallback, String origin) {
        String text = peek(key);
        add(key, text == null ? fallback : text, isAbsent(key) ? origin : file);
        return text == null ? fallback : text;
    }

    /**
     * A name that can stand in a resource's path, null where it is absent or wrong.
     *
     * @param fallback what takes effect where it is absent; it is not returned
     */
    @Nullable
    String name(String key, @Nullable String fallback) {
        String name = peek(key);
        if (name != null && !name.chars().allMatch(EffectiveValues::isOfName)) {
            keys.fault(key, "found \"" + name + "\", must be a name without slashes and blanks");
            return null;
        }
        add(key, name == null ? fallback : name, origin(key));
        return name;
    }

    static boolean isOfName(int c) {
        return c > ' ' && "/\\?#%".indexOf(c) < 0;
    }

    /** A text that nobody sees, null where it is absent or wrong. */
    @Nullable
    String secret(String key) {
        JsonNode value = keys.node().get(key);
        if (value != null && !value.isNull() && !value.isTextual()) {
            keys.fault(key, "found " + MASK + ", must be a string");
            return null;
        }
        String secret = value == null || isAbsent(key) ? null : value.textValue();
        add(key, secret == null ? null : MASK, origin(key));
        return secret;
    }

    /**
     * A file that can be read, null where it is absent or wrong.
     *
     * @param base the file beside which a relative name is looked for
     * @param kind what it must be, for who gave a wrong one
     */
    @Nullable
    Path existingFile(String key, Path base, String kind) {
        String name = text(key);
        if (name == null) {
            return null;
        }
        try {
            Path path = base.resolveSibling(name);
            if (Files.isRegularFile(path) && Files.isReadable(path)) {
                return path;
            }
        } catch (InvalidPathException e) {
            // said below
        }
        keys.fault(key, "found \"" + name + "\", must be " + kind + " that can be read");
        return null;
    }

    boolean truth(String key) {
        boolean truth = keys.truth(key);
        add(key, truth, origin(key));
        return truth;
    }

    boolean truth(String key, boolean fallback) {
        boolean truth = keys.truth(key);
        boolean effective = isAbsent(key) ? fallback : truth;
        add(key, effective, origin(key));
        return effective;
    }

    /** Whole seconds between two bounds, both included. */
    Duration seconds(String key, int least, int most, int fallback) {
        return Duration.ofSeconds(whole(key, least, most, fallback));
    }

    /** One of some words in lower case, however it is spelt. */
    String oneOf(String key, List<String> words, String fallback) {
        String text = peek(key);
        String word = text == null ? fallback : text.toLowerCase(Locale.ROOT);
        if (!words.contains(word)) {
            keys.fault(key, "found \"" + text + "\", must be one of " + String.join(", ", words));
            return fallback;
        }
        add(key, word, origin(key));
        return word;
    }

    /** A whole number between two bounds, both included. */
    int whole(String key, int least, int most, int fallback) {
        int number = (int) keys.wholeNumber(key, least, most).orElse(fallback);
        add(key, number, origin(key));
        return number;
    }
}
