package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A change of an object, in one of the forms that a client may send. */
@FunctionalInterface
interface Patch {

    /** The object with the change applied; the object itself stays as it is. */
    ObjectNode applied(ObjectNode object) throws ApiException;

    /** The version that the object must have; empty for any. */
    default String requiredVersion() {
        return "";
    }

    /** The patch in a request's body, in the form that its content type says. */
    static Patch of(KubeCall call, KubeResource resource) throws ApiException {
        String type = call.contentType().split(";")[0].strip();
        return switch (type) {
            case "application/merge-patch+json" -> merging(call.body());
            case "application/strategic-merge-patch+json" -> new StrategicPatch(resource, call.body());
            default ->
                throw new ApiException(
                        415,
                        "UnsupportedMediaType",
                        "the emulator takes merge patches and strategic merge patches only, not " + type);
        };
    }

    private static Patch merging(ObjectNode patch) {
        return new Patch() {
            @Override
            public ObjectNode applied(ObjectNode object) {
                return KubeJson.merged(object, patch);
            }

            @Override
            public String requiredVersion() {
                return KubeJson.resourceVersion(patch);
            }
        };
    }
}
