package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API server's validation rules that a client of Leases, Events and Pod status can break. */
final class Validation {

    private Validation() {}

    static void check(KubeResource resource, @Nullable ObjectNode old, ObjectNode object) throws ApiException {
        if (resource.equals(KubeResource.EVENTS)) {
            event(resource, old, object);
        } else if (resource.equals(KubeResource.LEASES)) {
            lease(resource, object);
        }
    }

    /** An update of a Lease must say which version it replaces. */
    static void versioned(KubeResource resource, String name, String version) throws ApiException {
        require(
                resource,
                name,
                !resource.equals(KubeResource.LEASES) || !version.isEmpty(),
                "metadata.resourceVersion: must be specified for an update");
    }

    /** Rejects a patch that changes the uid, which is meant for a different object of the same name. */
    static void sameUid(KubeResource resource, ObjectNode old, ObjectNode object) throws ApiException {
        String uid = object.path("metadata").path("uid").asText("");
        require(
                resource,
                KubeJson.name(old),
                uid.isEmpty() || uid.equals(old.path("metadata").path("uid").asText("")),
                "metadata.uid: Invalid value: \"" + uid + "\": field is immutable");
    }

    private static void event(KubeResource resource, @Nullable ObjectNode old, ObjectNode event) throws ApiException {
        String name = KubeJson.name(event);
        if (old != null) {
            for (String fixed : List.of("regarding", "reason", "note", "type", "reportingController", "action")) {
                require(resource, name, old.path(fixed).equals(event.path(fixed)), fixed + ": field is immutable");
            }
            return;
        }
        require(
                resource,
                name,
                event.path("eventTime").asText("").matches(".*\\.\\d{6}Z"),
                "eventTime: Required value");
        for (String field : List.of("reportingController", "reportingInstance", "action", "reason")) {
            int length = event.path(field).asText("").length();
            require(resource, name, length > 0 && length <= 128, field + ": must have 1 to 128 characters");
        }
        require(
                resource,
                name,
                event.path("note").asText("").length() <= 1024,
                "note: can have at most 1024 characters");
        require(
                resource,
                name,
                List.of("Normal", "Warning").contains(event.path("type").asText("")),
                "type: has invalid value");
        String regarding = event.path("regarding").path("namespace").asText("default");
        require(
                resource,
                name,
                regarding.equals(KubeJson.namespace(event)),
                "regarding.namespace: does not match event.namespace");
    }

    private static void lease(KubeResource resource, ObjectNode lease) throws ApiException {
        JsonNode spec = lease.path("spec");
        require(
                resource,
                KubeJson.name(lease),
                spec.path("leaseDurationSeconds").asInt(1) > 0,
                "spec.leaseDurationSeconds: must be greater than 0");
        require(
                resource,
                KubeJson.name(lease),
                spec.path("leaseTransitions").asInt(0) >= 0,
                "spec.leaseTransitions: must be greater than or equal to 0");
    }

    private static void require(KubeResource resource, String name, boolean ok, String fault) throws ApiException {
        if (!ok) {
            throw ApiException.invalid(resource, name, fault);
        }
    }
}
