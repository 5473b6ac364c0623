package dev.poolkeeper.k8s.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.k8s.client.ObjectJson;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.WatchEvent;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads the usual lines of a watch: an event about an object of the watched kind. Fabric8 cannot know the kind, so it
 * parses each line into a tree first, and it tolerates templates at every field.
 */
final class TypedEvents {

    private static final ObjectMapper JSON = ObjectJson.mapper();

    private TypedEvents() {}

    /** The event; empty if it is an error, about another kind, or not in the usual form. */
    static <T extends HasMetadata> Optional<WatchEvent> read(Class<T> kind, String line) {
        try (JsonParser parser = JSON.createParser(line)) {
            boolean isUsual = parser.nextToken() == JsonToken.START_OBJECT
                    && "type".equals(parser.nextFieldName())
                    && parser.nextToken() == JsonToken.VALUE_STRING;
            String type = isUsual ? parser.getText() : "ERROR";
            if (type.equals("ERROR") || !"object".equals(parser.nextFieldName())) {
                return Optional.empty();
            }
            parser.nextToken();
            T object = JSON.readValue(parser, kind);
            boolean isOfKind = object != null
                    && parser.nextToken() == JsonToken.END_OBJECT
                    && HasMetadata.getKind(kind).equals(object.getKind())
                    && HasMetadata.getApiVersion(kind).equals(object.getApiVersion());
            return isOfKind ? Optional.of(new WatchEvent(object, type)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
