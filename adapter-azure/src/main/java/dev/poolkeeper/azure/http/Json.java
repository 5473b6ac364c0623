package dev.poolkeeper.azure.http;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import com.azure.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON bodies as plain maps, lists, strings, numbers and booleans. */
public final class Json {

    private Json() {}

    static Map<?, ?> object(byte[] body) throws InvalidAnswerException {
        if (value(body) instanceof Map<?, ?> map) {
            return map;
        }
        throw new InvalidAnswerException("the body is not a JSON object");
    }

    private static @Nullable Object value(byte[] body) throws InvalidAnswerException {
        if (body.length == 0) {
            throw new InvalidAnswerException("the body is empty");
        }
        try (JsonReader reader = JsonProviders.createReader(body)) {
            Object value = reader.readUntyped();
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
