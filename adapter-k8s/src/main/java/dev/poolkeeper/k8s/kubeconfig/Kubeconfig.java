package dev.poolkeeper.k8s.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.YamlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Kubeconfig files read as one: of entries with the same name the first file's counts, as does its current context. */
final class Kubeconfig {

    private static final int LARGEST = 16 << 20;
    private static final List<String> KEYS = List.of(
            "apiVersion", "kind", "preferences", "clusters", "users", "contexts", "current-context", "extensions");

    private final List<FaultCollector> faults = new ArrayList<>();
    private final Map<String, Map<String, Entry>> entries = new LinkedHashMap<>();
    private final JsonObject first;
    private String currentContext = "";
    private JsonObject currentContextAt;

    /**
     * A cluster, user or context. Faults of entries that are not used are not looked for.
     *
     * @param element the element of the list, with its name
     * @param key what it is, and the key that holds its keys
     * @param folder where its relative paths start
     */
    record Entry(JsonObject element, String key, Path folder) {

        /** Its keys; those next to them and to its name are faults. */
        JsonObject keys() {
            element.allowOnly(List.of("name", key));
            return element.object(key);
        }
    }

    /**
     * @param files at least one
     * @throws BadInputException if one cannot be read
     */
    Kubeconfig(List<Path> files) throws BadInputException {
        List<JsonObject> roots = new ArrayList<>();
        for (Path file : files) {
            roots.add(root(file));
        }
        this.first = roots.getFirst();
        this.currentContextAt = first;
        for (int i = 0; i < roots.size(); i++) {
            add(roots.get(i), files.get(i).toAbsolutePath().resolveSibling(""));
        }
    }

    private JsonObject root(Path file) throws BadInputException {
        FaultCollector own = new FaultCollector(file.toString());
        faults.add(own);
        JsonNode document = YamlFile.document(file, LARGEST);
        if (!document.isMissingNode() && !document.isObject()) {
            throw new BadInputException(new InputFault(file.toString(), "", "is not a kubeconfig: must be an object"));
        }
        ObjectNode object = document instanceof ObjectNode found ? found : new ObjectNode(null);
        return JsonObject.of(object, "", own);
    }

    private void add(JsonObject root, Path folder) {
        root.allowOnly(KEYS);
        requireValue(root, "apiVersion", "v1");
        requireValue(root, "kind", "Config");
        addAll(root, "clusters", "cluster", folder);
        addAll(root, "users", "user", folder);
        addAll(root, "contexts", "context", folder);
        String current = text(root, "current-context");
        if (currentContext.isEmpty() && !current.isEmpty()) {
            currentContext = current;
            currentContextAt = root;
        }
    }

    private static void requireValue(JsonObject root, String key, String value) {
        String found = text(root, key);
        if (!found.isEmpty() && !found.equals(value)) {
            root.fault(key, "found \"%s\", must be %s".formatted(found, value));
        }
    }

    private void addAll(JsonObject root, String list, String key, Path folder) {
        Map<String, Entry> known = entries.computeIfAbsent(list, unused -> new LinkedHashMap<>());
        Set<String> here = new LinkedHashSet<>();
        for (JsonObject element : root.objects(list)) {
            String name = text(element, "name");
            if (!here.add(name)) {
                element.fault("name", "found \"%s\" twice, must be unique".formatted(name));
            }
            known.putIfAbsent(name, new Entry(element, key, folder));
        }
    }

    /** A key's text; empty if it is not set, which is the same to Kubernetes clients. */
    static String text(JsonObject object, String key) {
        String text = object.optionalString(key);
        return text == null ? "" : text;
    }

    /** Whether one of these keys is set. */
    static boolean isSet(JsonObject object, String... keys) {
        return Arrays.stream(keys)
                .anyMatch(key -> !object.node().path(key).asText("").isEmpty());
    }

    /** The context with this name; an empty one, and a fault, if there is none. */
    Entry context(@Nullable String name) throws BadInputException {
        Map<String, Entry> contexts = entries("contexts");
        if (name != null && !contexts.containsKey(name)) {
            throw new BadInputException(new InputFault("kubeContext", "", mustBeOneOf(contexts.keySet(), name)));
        }
        Entry found = contexts.get(name == null ? currentContext : name);
        if (found == null) {
            currentContextAt.fault("current-context", mustBeOneOf(contexts.keySet(), currentContext));
            throwIfFaulty();
            throw new IllegalStateException("a fault was added");
        }
        return found;
    }

    /** The cluster or user that a context names; empty, and a fault, if there is none. */
    Entry named(Entry context, String list, String key) {
        String name = text(context.keys(), key);
        Entry found = entries(list).get(name);
        if (found != null && !name.isEmpty()) {
            return found;
        }
        context.keys().fault(key, mustBeOneOf(entries(list).keySet(), name));
        return new Entry(JsonObject.of(new ObjectNode(null), "", new FaultCollector("")), key, context.folder());
    }

    private Map<String, Entry> entries(String list) {
        return entries.getOrDefault(list, Map.of());
    }

    /** The fault of another value, or of none. */
    static String mustBeOneOf(Collection<String> allowed, String found) {
        return (found.isEmpty() ? "is missing" : "found \"" + found + "\"") + ", must be one of " + allowed;
    }

    /** @throws BadInputException with the faults of all files, if there are any */
    void throwIfFaulty() throws BadInputException {
        List<InputFault> all =
                faults.stream().flatMap(one -> one.faults().stream()).toList();
        if (!all.isEmpty()) {
            throw new BadInputException(all);
        }
    }
}
