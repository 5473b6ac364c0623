package dev.poolkeeper.azure;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonSerializable;
import com.azure.json.JsonToken;
import com.azure.json.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads bodies as plain maps, lists, texts and numbers, and writes the SDK's models. */
final class Json {

    private Json() {}

    /** @throws UnfitAnswerException if the body is empty or is anything but one JSON object */
    static Map<?, ?> object(byte[] body) throws UnfitAnswerException {
        if (value(body) instanceof Map<?, ?> map) {
            return map;
        }
        throw new UnfitAnswerException("the body is no JSON object");
    }

    private static @Nullable Object value(byte[] body) throws UnfitAnswerException {
        if (body.length == 0) {
            throw new UnfitAnswerException("the body is empty");
        }
        try (JsonReader reader = JsonProviders.createReader(body)) {
            Object value = reader.readUntyped();
            if (reader.nextToken() != JsonToken.END_DOCUMENT) {
                throw new UnfitAnswerException("the body goes on after its JSON object");
            }
            return value;
        } catch (UnfitAnswerException e) {
            throw e;
        } catch (IOException | RuntimeException e) { // the parser has both for what is no JSON
            throw new UnfitAnswerException("the body of " + body.length + " bytes is not JSON");
        }
    }

    static String text(JsonSerializable<?> model) {
        StringWriter text = new StringWriter();
        try (JsonWriter writer = JsonProviders.createWriter(text)) {
            model.toJson(writer);
        } catch (IOException e) {
            throw new IllegalStateException("a text cannot be written", e);
        }
        return text.toString();
    }
}
