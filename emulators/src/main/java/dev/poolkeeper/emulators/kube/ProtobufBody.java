package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * Objects in Kubernetes' protobuf envelope, which {@code kubectl auth} and {@code kubectl create namespace} send:
 * converts their names and reviews to JSON. Field numbers are those of the {@code generated.proto} files of k8s.io/api.
 */
final class ProtobufBody {

    static final String CONTENT_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int LENGTH_DELIMITED = 2;

    /** A field and the fields of its message; a string if there are none. */
    private record Field(String name, Map<Integer, Field> fields) {
        static Field text(String name) {
            return new Field(name, Map.of());
        }
    }

    private static final Field METADATA = new Field(
            "metadata", Map.of(1, Field.text("name"), 2, Field.text("generateName"), 3, Field.text("namespace")));

    private static final Map<Integer, Field> RESOURCE = Map.of(
            1, Field.text("namespace"),
            2, Field.text("verb"),
            3, Field.text("group"),
            4, Field.text("version"),
            5, Field.text("resource"),
            6, Field.text("subresource"),
            7, Field.text("name"));

    private static final Field QUESTION = new Field("spec", Map.of(1, new Field("resourceAttributes", RESOURCE)));

    private static final Map<String, Map<Integer, Field>> KINDS = Map.of(
            "Namespace", Map.of(1, METADATA),
            "SelfSubjectReview", Map.of(1, METADATA),
            "SelfSubjectAccessReview", Map.of(1, METADATA, 2, QUESTION));

    private ProtobufBody() {}

    static ObjectNode read(byte[] body) throws ApiException {
        try {
            if (body.length < MAGIC.length || !Arrays.equals(MAGIC, Arrays.copyOf(body, MAGIC.length))) {
                throw new ApiException(400, "BadRequest", "the body is not Kubernetes protobuf");
            }
            ByteBuffer envelope = ByteBuffer.wrap(body, MAGIC.length, body.length - MAGIC.length);
            ObjectNode type = KubeJson.object();
            ByteBuffer raw = ByteBuffer.allocate(0);
            while (envelope.hasRemaining()) {
                long tag = varint(envelope);
                ByteBuffer value = value(tag, envelope);
                switch ((int) (tag >>> 3)) {
                    case 1 -> read(value, Map.of(1, Field.text("apiVersion"), 2, Field.text("kind")), type);
                    case 2 -> raw = value;
                    default -> {}
                }
            }
            Map<Integer, Field> fields = KINDS.get(type.path("kind").asText(""));
            if (fields == null) {
                throw new ApiException(
                        415,
                        "UnsupportedMediaType",
                        "the emulator does not support protobuf of " + type + ", send JSON");
            }
            read(raw, fields, type);
            return type;
        } catch (BufferUnderflowException
                | IndexOutOfBoundsException
                | IllegalArgumentException
                | ArithmeticException e) {
            throw new ApiException(400, "BadRequest", "the body is not protobuf: " + e);
        }
    }

    private static void read(ByteBuffer message, Map<Integer, Field> fields, ObjectNode into) {
        while (message.hasRemaining()) {
            long tag = varint(message);
            ByteBuffer value = value(tag, message);
            Field field = fields.get((int) (tag >>> 3));
            if (field != null && field.fields.isEmpty()) {
                into.put(field.name, StandardCharsets.UTF_8.decode(value).toString());
            } else if (field != null) {
                read(value, field.fields, into.putObject(field.name));
            }
        }
    }

    /** The bytes of a field; empty for numbers, which are not needed. */
    private static ByteBuffer value(long tag, ByteBuffer from) {
        int wireType = (int) (tag & 7);
        if (wireType == 0) {
            varint(from);
            return ByteBuffer.allocate(0);
        }
        if (wireType != LENGTH_DELIMITED) {
            throw new IllegalArgumentException("wire type " + wireType);
        }
        int length = Math.toIntExact(varint(from));
        ByteBuffer value = from.slice(from.position(), length);
        from.position(from.position() + length);
        return value;
    }

    private static long varint(ByteBuffer from) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = from.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("an unterminated number");
    }
}
