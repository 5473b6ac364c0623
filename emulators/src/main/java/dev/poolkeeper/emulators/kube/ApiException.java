package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An error, reported as the API server's {@code Status} object. */
final class ApiException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final String field;

    ApiException(int code, String reason, String message) {
        this(code, reason, message, "");
    }

    /** @param field the invalid field; empty if the error is not about a field */
    private ApiException(int code, String reason, String message, String field) {
        super(message);
        this.code = code;
        this.reason = reason;
        this.field = field;
    }

    static ApiException notFound(KubeResource resource, String name) {
        return new ApiException(404, "NotFound", "%s \"%s\" not found".formatted(resource.plural(), name));
    }

    static ApiException conflict(KubeResource resource, String name) {
        return new ApiException(
                409,
                "Conflict",
                "Operation cannot be fulfilled on %s \"%s\": the object has been modified; please apply your changes to the latest version and try again"
                        .formatted(resource.plural(), name));
    }

    /**
     * The request is meant for another object of the same name.
     *
     * @param field {@code UID} or {@code ResourceVersion}
     * @param expected the value in the request
     * @param found the object's value; empty if there is no object
     */
    static ApiException precondition(KubePath path, String field, String expected, String found) {
        String key = path.resource().plural()
                + (path.namespace().isEmpty() ? "" : "/" + path.namespace())
                + "/" + path.name();
        return new ApiException(
                409,
                "Conflict",
                ("Operation cannot be fulfilled on %s \"%s\": StorageError: invalid object, Code: 4, Key:"
                    + " /registry/%s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: %s in precondition:"
                    + " %s, %s in object meta: %s")
                        .formatted(path.resource().plural(), path.name(), key, field, expected, field, found));
    }

    static ApiException invalid(KubeResource resource, String name, String fault) {
        return new ApiException(
                422,
                "Invalid",
                "%s \"%s\" is invalid: %s".formatted(resource.kind(), name, fault),
                fault.split(":", 2)[0]);
    }

    static ApiException expired(String message) {
        return new ApiException(410, "Expired", message);
    }

    int code() {
        return code;
    }

    ObjectNode status() {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        if (!field.isEmpty()) {
            status.putObject("details").putArray("causes").addObject().put("field", field);
        }
        return status.put("status", "Failure")
                .put("message", getMessage())
                .put("reason", reason)
                .put("code", code);
    }
}
