package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses bodies, with ARM's error responses to invalid ones. A {@code null} field counts as absent. */
final class ArmJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ArmJson() {}

    static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree that cannot be written", e);
        }
    }

    /** @throws BadBody if it is not a JSON object */
    static ObjectNode parse(byte[] body) throws BadBody {
        try {
            if (MAPPER.readTree(body) instanceof ObjectNode object) {
                dropNulls(object);
                return object;
            }
            throw new BadBody(Errors.invalidContent(
                    body.length == 0 ? "The request body is empty" : "The request body must be a JSON object"));
        } catch (JsonProcessingException e) {
            throw new BadBody(Errors.invalidContent(
                    e.getOriginalMessage().lines().findFirst().orElse("The request body is not JSON")));
        } catch (IOException e) {
            throw new BadBody(Errors.invalidContent("The request body is not JSON"));
        }
    }

    private static void dropNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.removeIf(JsonNode::isNull);
        }
        node.forEach(ArmJson::dropNulls);
    }

    /** The object in a field; a new one if absent. */
    static ObjectNode object(ObjectNode parent, String field) throws BadBody {
        JsonNode value = parent.get(field);
        if (value == null) {
            return JsonNodeFactory.instance.objectNode();
        }
        if (value instanceof ObjectNode object) {
            return object;
        }
        throw new BadBody(Errors.invalidContent("The property '" + field + "' must be an object"));
    }

    static List<ObjectNode> objects(ObjectNode parent, String field) throws BadBody {
        JsonNode value = parent.get(field);
        if (value == null) {
            return List.of();
        }
        List<ObjectNode> objects = new ArrayList<>(value.size());
        for (JsonNode element : value) {
            if (element instanceof ObjectNode object) {
                objects.add(object);
            }
        }
        if (!value.isArray() || objects.size() != value.size()) {
            throw new BadBody(Errors.invalidContent("The property '" + field + "' must be an array of objects"));
        }
        return objects;
    }

    static @Nullable String text(ObjectNode parent, String field) throws BadBody {
        JsonNode value = parent.get(field);
        if (value == null) {
            return null;
        }
        if (!value.isTextual()) {
            throw new BadBody(Errors.invalidContent("The property '" + field + "' must be a string"));
        }
        return value.textValue();
    }

    /** Copies fields from another object that this one does not have. */
    static void addMissing(ObjectNode to, JsonNode from) {
        from.properties().forEach(field -> {
            if (!to.has(field.getKey())) {
                to.set(field.getKey(), field.getValue());
            }
        });
    }
}
