package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A patch of an object, in one of the supported formats. */
@FunctionalInterface
interface Patch {

    /** The object with the patch applied; the object itself is not modified. */
    ObjectNode applied(ObjectNode object) throws ApiException;

    /** The required version of the object; empty for any. */
    default String requiredVersion() {
        return "";
    }

    /** Parses the patch in a request's body, according to its content type. */
    static Patch of(KubeCall call, KubeResource resource) throws ApiException {
        String type = call.contentType().split(";")[0].strip();
        return switch (type) {
            case "application/merge-patch+json" -> merging(call.body());
            case "application/strategic-merge-patch+json" -> new StrategicPatch(resource, call.body());
            default ->
                throw new ApiException(
                        415,
                        "UnsupportedMediaType",
                        "the emulator supports only merge patches and strategic merge patches, not " + type);
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
