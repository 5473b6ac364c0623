package dev.poolkeeper.lab.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Turns valid documents into hostile ones: field by field if they are JSON, otherwise byte by byte. The seed decides
 * everything.
 */
final class Mutator {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** What no reader expects, as JSON texts. */
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "-1",
            "0",
            "1.5",
            "1e400",
            "-1e-400",
            "1E999999999",
            "9223372036854775807",
            "-9223372036854775808",
            "99999999999999999999999999999",
            "\"\"",
            "\" \"",
            "\"a/b\"",
            "\"\\u0000\\n\\u001b[31m\\u2028\\u202e\"",
            "\"\\ud800\"",
            "\"10.0.0.256\"",
            "\"::ffff:10.0.0.1%eth0\"",
            "\"1:2:3:4:5:6:7:8:9\"",
            "\"99999h\"",
            "\"1e9s\"",
            "\"../../../../etc/hostname\"",
            "\"" + "n".repeat(253) + "\"",
            "\"" + "n".repeat(100_000) + "\"",
            "\"ns/" + "n".repeat(100_000) + "\"",
            "[]",
            "{}",
            "[[[[[[[[]]]]]]]]",
            "{\"a\":{\"a\":{\"a\":{}}}}",
            nested(900),
            "[" + "7,".repeat(5_000) + "7]");

    /** What no parser expects, as bytes. */
    private static final List<byte[]> TOKENS = List.of(
            bytes(nested(100_000)),
            bytes("[".repeat(100_000)),
            bytes("{\"a\":".repeat(100_000)),
            bytes("9".repeat(100_000)),
            bytes("\n---\n"),
            bytes("\n\t- x: [\n"),
            bytes("!!javax.script.ScriptEngineManager [!!java.net.URL [\"http://127.0.0.1:1/\"]]"),
            bytes("\na: &a [x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c]\ne: [*d,*d,*d,*d]\n"),
            bytes("\n<<: *nobody\n"),
            bytes("&x {<<: *x}"),
            bytes("\"kind\":\"Service\",\"kind\":\"Node\","),
            bytes("%YAML 9.9\n"),
            new byte[] {(byte) 0xff, (byte) 0xfe},
            new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf},
            new byte[] {0, 0, (byte) 0xfe, (byte) 0xff},
            new byte[] {(byte) 0xc0, (byte) 0xaf},
            new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
            new byte[] {0, 0, 0});

    private final Random random;

    Mutator(long seed) {
        this.random = new Random(seed);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }

    /** A document of lines, one of which is changed, duplicated, moved or removed. */
    byte[] mutateLines(String document) {
        List<String> lines = new ArrayList<>(document.lines().toList());
        int at = random.nextInt(lines.size());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < lines.size(); i++) {
            out.writeBytes(i == at ? mutate(lines.get(i)) : bytes(lines.get(i)));
            out.write('\n');
        }
        return out.toByteArray();
    }

    byte[] mutate(String document) {
        if (random.nextInt(100) < 70) {
            try {
                JsonNode tree = JSON.readTree(document);
                if (tree.isContainerNode()) {
                    for (int i = random.nextInt(3); i >= 0; i--) {
                        mutateTree(tree);
                    }
                    return JSON.writeValueAsBytes(tree);
                }
            } catch (IOException e) {
                // not JSON: its bytes are changed
            }
        }
        return mutateBytes(bytes(document));
    }

    private void mutateTree(JsonNode tree) throws IOException {
        List<JsonNode> containers = new ArrayList<>();
        collect(tree, containers);
        JsonNode chosen = containers.get(random.nextInt(containers.size()));
        if (chosen instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            String name = names.isEmpty() || random.nextInt(12) == 0 ? "nobody" : pick(names);
            if (random.nextInt(6) == 0) {
                object.remove(name);
            } else {
                object.set(name, value(containers));
            }
        } else if (chosen instanceof ArrayNode array) {
            if (!array.isEmpty() && random.nextBoolean()) {
                array.set(random.nextInt(array.size()), value(containers));
            } else {
                array.add(value(containers));
            }
        }
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainerNode()) {
            containers.add(node);
            node.forEach(child -> collect(child, containers));
        }
    }

    private JsonNode value(List<JsonNode> containers) throws IOException {
        if (random.nextInt(4) == 0) {
            return pick(containers).deepCopy();
        }
        String text = pick(VALUES);
        return text.contains("E9999") ? NODES.rawValueNode(new RawValue(text)) : JSON.readTree(text);
    }

    private byte[] mutateBytes(byte[] document) {
        byte[] bytes = document;
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(bytes.length + 1);
            bytes = switch (random.nextInt(6)) {
                case 0 -> spliced(bytes, at, at, pick(TOKENS));
                case 1 -> spliced(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(20)), new byte[0]);
                case 2 -> spliced(bytes, at, at, new byte[] {(byte) random.nextInt(256)});
                case 3 -> Arrays.copyOf(bytes, at);
                case 4 -> spliced(bytes, at, at, Arrays.copyOfRange(bytes, at / 2, at));
                default -> spliced(bytes, at, Math.min(bytes.length, at + 1), new byte[] {(byte) random.nextInt(256)});
            };
        }
        return bytes;
    }

    private static byte[] spliced(byte[] bytes, int from, int until, byte[] instead) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, from);
        out.writeBytes(instead);
        out.write(bytes, until, bytes.length - until);
        return out.toByteArray();
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
