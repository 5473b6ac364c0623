package dev.poolkeeper.azure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Changes a body: mostly as JSON, field by field, otherwise byte by byte. The random source decides. */
final class JsonMutator {

    static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Random random;

    JsonMutator(Random random) {
        this.random = random;
    }

    byte[] mutate(String body) throws IOException {
        if (random.nextInt(100) < 75) {
            JsonNode tree = JSON.readTree(body);
            for (int i = random.nextInt(3); i >= 0; i--) {
                mutate(tree);
            }
            return JSON.writeValueAsBytes(tree);
        }
        return mutateBytes(body.getBytes(StandardCharsets.UTF_8));
    }

    private void mutate(JsonNode tree) {
        List<JsonNode> containers = new ArrayList<>();
        collect(tree, containers);
        JsonNode chosen = containers.get(random.nextInt(containers.size()));
        if (chosen instanceof ObjectNode object) {
            mutateObject(object);
        } else if (chosen instanceof ArrayNode array) {
            mutateArray(array);
        }
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainerNode()) {
            containers.add(node);
            node.forEach(child -> collect(child, containers));
        }
    }

    private void mutateObject(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        if (names.isEmpty()) {
            object.set("unknown", value());
            return;
        }
        String name = names.get(random.nextInt(names.size()));
        switch (random.nextInt(7)) {
            case 0 -> object.remove(name);
            case 1 -> object.putNull(name);
            case 2 -> object.set(name, value());
            case 3 -> object.set(name.toUpperCase(Locale.ROOT), object.remove(name));
            case 4 -> object.set("unknown-" + random.nextInt(9), value());
            case 5 ->
                object.set(
                        name,
                        object.get(names.get(random.nextInt(names.size()))).deepCopy());
            default -> {
                if (object.get(name).isTextual()) {
                    object.put(name, mutateText(object.get(name).textValue()));
                }
            }
        }
    }

    private void mutateArray(ArrayNode array) {
        if (array.isEmpty()) {
            array.add(value());
            return;
        }
        int index = random.nextInt(array.size());
        switch (random.nextInt(4)) {
            case 0 -> array.remove(index);
            case 1 -> array.add(array.get(index).deepCopy());
            case 2 -> array.set(index, value());
            default -> array.insertNull(index);
        }
    }

    private JsonNode value() {
        return switch (random.nextInt(10)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt());
            case 3 -> NODES.numberNode(random.nextLong());
            case 4 -> NODES.numberNode(random.nextDouble() * 1e30);
            case 5 -> NODES.textNode("");
            case 6 -> NODES.textNode(mutateText("10.0.0.4"));
            case 7 -> NODES.objectNode();
            case 8 -> NODES.arrayNode().add("x");
            default -> NODES.textNode("\u0000\ud83d\ude00\n\"");
        };
    }

    private String mutateText(String text) {
        int at = random.nextInt(text.length() + 1);
        return switch (random.nextInt(4)) {
            case 0 -> text.substring(0, at);
            case 1 -> text.substring(0, at) + (char) ('!' + random.nextInt(90)) + text.substring(at);
            case 2 -> text + text;
            default -> text.toUpperCase(Locale.ROOT);
        };
    }

    private byte[] mutateBytes(byte[] bytes) {
        switch (random.nextInt(4)) {
            case 0 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            case 1 -> {
                return new byte[0];
            }
            default -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                return bytes;
            }
        }
    }
}
