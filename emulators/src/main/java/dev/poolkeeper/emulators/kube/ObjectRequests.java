package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Requests for one object: get, create, update, patch, delete. Thread-safe. */
final class ObjectRequests {

    private final ObjectStore store;
    private final AtomicLong generated = new AtomicLong();

    ObjectRequests(ObjectStore store) {
        this.store = store;
    }

    ObjectNode get(KubePath path) throws ApiException {
        return EventVersions.shown(path.resource(), existing(path));
    }

    private ObjectNode existing(KubePath path) throws ApiException {
        ObjectNode there = store.get(path.resource().storage(), path.namespace(), path.name());
        if (there == null) {
            throw ApiException.notFound(path.resource(), path.name());
        }
        return there;
    }

    ObjectNode create(KubePath path, ObjectNode body) throws ApiException {
        KubeResource resource = path.resource();
        ObjectNode object = EventVersions.stored(resource, body.deepCopy());
        ObjectNode metadata = object.withObject("/metadata");
        if (KubeJson.name(object).isEmpty()) {
            metadata.put("name", metadata.path("generateName").asText("") + generated.incrementAndGet());
        }
        if (resource.namespaced()) {
            metadata.put("namespace", path.namespace());
            if (store.get("namespaces", "", path.namespace()) == null) {
                throw ApiException.notFound(KubeResource.NAMESPACES, path.namespace());
            }
        }
        fillType(object, resource);
        if (resource.kind().equals("Service")) {
            object.putObject("status");
        }
        if (resource.equals(KubeResource.PODS)) {
            object.putObject("status").put("phase", "Pending");
        }
        if (resource.isCustom() && resource.hasStatus()) {
            object.remove("status");
        }
        if (resource.equals(KubeResource.NAMESPACES)) {
            object.putObject("status").put("phase", "Active");
        }
        Defaults.filled(resource, object);
        Generations.created(resource, object);
        Validation.check(resource, null, object);
        ObjectNode created = store.create(resource.storage(), object);
        if (created == null) {
            throw new ApiException(
                    409,
                    "AlreadyExists",
                    "%s \"%s\" already exists".formatted(resource.plural(), KubeJson.name(object)));
        }
        return EventVersions.shown(resource, created);
    }

    /** Like an API server, it checks the uid first, also that of an object that does not exist any more. */
    ObjectNode update(KubePath path, ObjectNode body) throws ApiException {
        ObjectNode there = store.get(path.resource().storage(), path.namespace(), path.name());
        check(path, "UID", text(body, "uid"), text(there, "uid"));
        ObjectNode expected = existing(path);
        return replace(path, expected, EventVersions.stored(path.resource(), body));
    }

    ObjectNode patch(KubePath path, Patch patch) throws ApiException {
        while (true) {
            ObjectNode expected = existing(path);
            ObjectNode merged = patch.applied(EventVersions.shown(path.resource(), expected));
            ObjectNode next = EventVersions.stored(path.resource(), merged);
            try {
                return replace(path, expected, next);
            } catch (ApiException e) {
                if (e.code() != 409 || !patch.requiredVersion().isEmpty()) {
                    throw e;
                }
            }
        }
    }

    private ObjectNode replace(KubePath path, ObjectNode expected, ObjectNode object) throws ApiException {
        KubeResource resource = path.resource();
        String version = KubeJson.resourceVersion(object);
        Validation.versioned(resource, path.name(), version);
        if (!version.isEmpty() && !version.equals(KubeJson.resourceVersion(expected))) {
            throw ApiException.conflict(resource, path.name());
        }
        Validation.sameUid(resource, expected, object);
        Validation.check(resource, expected, object);
        ObjectNode next = object.deepCopy();
        if (path.subresource().equals("status")) {
            next = expected.deepCopy();
            set(next, object.get("status"));
        } else if (resource.hasStatus()) {
            set(next, expected.get("status"));
        }
        fillType(next, resource);
        Defaults.filled(resource, next);
        Generations.replaced(resource, expected, next);
        ObjectNode replaced = store.replace(resource.storage(), expected, next);
        if (replaced == null) {
            throw ApiException.conflict(resource, path.name());
        }
        return EventVersions.shown(resource, replaced);
    }

    private static void check(KubePath path, String field, String expected, String found) throws ApiException {
        if (!expected.isEmpty() && !expected.equals(found)) {
            throw ApiException.precondition(path, field, expected, found);
        }
    }

    private static void set(ObjectNode object, @Nullable JsonNode status) {
        if (status == null) {
            object.remove("status");
        } else {
            object.set("status", status);
        }
    }

    private static void fillType(ObjectNode object, KubeResource resource) {
        boolean event = resource.kind().equals("Event");
        object.put("apiVersion", (event ? KubeResource.EVENTS : resource).apiVersion());
        object.put("kind", resource.kind());
    }

    private static String text(@Nullable ObjectNode object, String field) {
        return object == null ? "" : object.path("metadata").path(field).asText("");
    }

    /** @param options {@code DeleteOptions} */
    ObjectNode delete(KubePath path, ObjectNode options) throws ApiException {
        ObjectNode there = existing(path);
        JsonNode preconditions = options.path("preconditions");
        check(path, "UID", preconditions.path("uid").asText(""), text(there, "uid"));
        check(
                path,
                "ResourceVersion",
                preconditions.path("resourceVersion").asText(""),
                KubeJson.resourceVersion(there));
        if (path.resource().equals(KubeResource.NAMESPACES)) {
            store.deleteNamespace(path.name());
        }
        ObjectNode deleted = store.delete(path.resource().storage(), path.namespace(), path.name());
        if (deleted == null) {
            throw ApiException.notFound(path.resource(), path.name());
        }
        return EventVersions.shown(path.resource(), deleted);
    }
}
