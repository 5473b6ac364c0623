package dev.poolkeeper.azure.http;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import com.azure.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON bodies as plain maps, lists, strings, numbers and booleans. The maps find their keys in any case, at every
 * level: some of Azure's resource providers capitalise them, such as the network provider in some errors
 * (kubernetes-sigs/cloud-provider-azure#792). They keep the spelling for writing.
 */
public final class Json {

    private Json() {}

    static Map<?, ?> object(byte[] body) throws InvalidAnswerException {
        Object value = value(body);
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw value == null
                ? InvalidAnswerException.empty("the body is null")
                : new InvalidAnswerException("the body is not a JSON object");
    }

    private static @Nullable Object value(byte[] body) throws InvalidAnswerException {
        if (isBlank(body)) {
            throw InvalidAnswerException.empty("the body is empty");
        }
        try (JsonReader reader = JsonProviders.createReader(body)) {
            Object value = read(reader);
            if (reader.nextToken() != JsonToken.END_DOCUMENT) {
                throw new InvalidAnswerException("the body continues after its JSON object");
            }
            return value;
        } catch (InvalidAnswerException e) {
            throw e;
        } catch (IOException | RuntimeException e) { // the parser throws both for invalid JSON
            throw new InvalidAnswerException("the body of " + body.length + " bytes is not JSON");
        }
    }

    static boolean isBlank(byte[] body) {
        for (byte one : body) {
            if (one < 0 || one > ' ') {
                return false;
            }
        }
        return true;
    }

    /**
     * The next value.
     *
     * @throws IOException if it is not valid JSON, or the stream breaks off; the parser also throws
     *     {@link IllegalStateException}
     */
    public static @Nullable Object read(JsonReader reader) throws IOException {
        return folded(reader.readUntyped());
    }

    private static @Nullable Object folded(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<String, Object> fields = fields();
                map.forEach((key, field) -> fields.put(String.valueOf(key), folded(field)));
                yield fields;
            }
            case List<?> list -> {
                List<Object> elements = new ArrayList<>(list.size());
                list.forEach(element -> elements.add(folded(element)));
                yield elements;
            }
            case null, default -> value;
        };
    }

    /** An empty object. */
    @SuppressWarnings("NullAway")
    public static Map<String, Object> fields() {
        return new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    }

    /** The object as UTF-8. */
    public static byte[] bytes(Map<?, ?> object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonWriter writer = JsonProviders.createWriter(bytes)) {
            writer.writeUntyped(object);
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot be written to", e);
        }
        return bytes.toByteArray();
    }
}
