package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.JsonFile;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.k8s.kubeconfig.Kubeconfig.Entry;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A pair of keys of which one may be set: {@code KEY} names a file, {@code KEY-data} is its content in Base64.
 *
 * @param key the one that is set
 * @param file null for data
 * @param bytes the content; null if neither is set, or it cannot be read
 */
record FileOrData(String key, @Nullable Path file, byte @Nullable [] bytes) {

    /** Invalid values become faults, which show no content. */
    static FileOrData read(Entry entry, String key) {
        String name = Kubeconfig.text(entry.keys(), key);
        String dataKey = key + "-data";
        String data = secret(entry.keys(), dataKey);
        if (!name.isEmpty() && !data.isEmpty()) {
            entry.keys().fault(dataKey, "must not be set together with " + key);
        }
        if (!data.isEmpty()) {
            return new FileOrData(dataKey, null, decoded(entry.keys(), dataKey, data));
        }
        if (name.isEmpty()) {
            return new FileOrData(key, null, null);
        }
        try {
            Path file = entry.folder().resolve(name);
            if (!Files.notExists(file)) {
                return new FileOrData(key, file, JsonFile.bytes(file, Pem.LARGEST));
            }
            entry.keys().fault(key, "found \"%s\", which does not exist".formatted(name));
        } catch (BadInputException e) {
            e.faults()
                    .forEach(fault ->
                            entry.keys().fault(key, "found \"%s\", which %s".formatted(name, fault.problem())));
        } catch (InvalidPathException e) {
            entry.keys().fault(key, "found \"%s\", must be the name of a file".formatted(name));
        }
        return new FileOrData(key, null, null);
    }

    private static byte @Nullable [] decoded(JsonObject keys, String key, String data) {
        try {
            return Base64.getDecoder().decode(data.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            keys.fault(key, "is not Base64");
            return null;
        }
    }

    /** The text of a key whose value no message may show; empty if it is not set. */
    static String secret(JsonObject keys, String key) {
        if (keys.has(key) && !keys.node().get(key).isTextual()) {
            keys.fault(key, "must be a string; put it in quotes");
            return "";
        }
        return Kubeconfig.text(keys, key);
    }

    boolean isSet() {
        return bytes != null || file != null;
    }
}
