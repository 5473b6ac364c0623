package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * The part of OpenAPI v3 that {@code kubectl apply} needs: it declares that the server validates fields
 * ({@code fieldValidation}), so that kubectl does not. The emulator does not validate them.
 */
final class OpenApi {

    private static final String ROOT = "/openapi/v3";

    private OpenApi() {}

    static Optional<ObjectNode> answer(String path, Resources served) {
        if (path.equals(ROOT)) {
            ObjectNode root = KubeJson.object();
            ObjectNode paths = root.putObject("paths");
            for (KubeResource resource : served.kept()) {
                String prefix = prefix(resource);
                paths.putObject(prefix).put("serverRelativeURL", ROOT + "/" + prefix + "?hash=emulator");
            }
            return Optional.of(root);
        }
        return path.startsWith(ROOT + "/") ? document(path.substring(ROOT.length() + 1), served) : Optional.empty();
    }

    private static String prefix(KubeResource resource) {
        return (resource.group().isEmpty() ? "api/" : "apis/") + resource.apiVersion();
    }

    private static Optional<ObjectNode> document(String prefix, Resources served) {
        ObjectNode document = KubeJson.object().put("openapi", "3.0.0");
        document.putObject("info")
                .put("title", "Poolkeeper API server emulator")
                .put("version", "1");
        ObjectNode paths = document.putObject("paths");
        for (KubeResource resource : served.kept()) {
            if (prefix(resource).equals(prefix)) {
                ObjectNode patch = paths.putObject("/" + prefix
                                + (resource.namespaced() ? "/namespaces/{namespace}/" : "/") + resource.plural()
                                + "/{name}")
                        .putObject("patch");
                patch.putArray("parameters")
                        .addObject()
                        .put("name", "fieldValidation")
                        .put("in", "query");
                patch.putObject("x-kubernetes-group-version-kind")
                        .put("group", resource.group())
                        .put("version", resource.version())
                        .put("kind", resource.kind());
            }
        }
        return paths.isEmpty() ? Optional.empty() : Optional.of(document);
    }
}
