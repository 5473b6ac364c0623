package dev.poolkeeper.input;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.poolkeeper.ports.ForeignText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Escapes in JSON everything that {@link ForeignText} replaces elsewhere, so that JSON on a terminal is as safe as text
 * and programs still read the same values. Surrogates are always escaped, because a single one cannot be encoded.
 */
public final class JsonEscapes extends CharacterEscapes {

    private static final long serialVersionUID = 1L;
    private static final int DELETE = 0x7f;

    private final int[] ascii = standardAsciiEscapesForJSON();

    public JsonEscapes() {
        ascii[DELETE] = CharacterEscapes.ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
        return ascii.clone();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
        return ForeignText.isUnsafe(character)
                ? new SerializedString(String.format(Locale.ROOT, "\\u%04x", character))
                : null;
    }
}
