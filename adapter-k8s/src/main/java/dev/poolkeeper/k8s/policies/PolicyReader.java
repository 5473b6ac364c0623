package dev.poolkeeper.k8s.policies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyManifests;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads objects of one kind. Accepts any content: a CRD of another version may have let in what ours rejects. Keeps
 * nothing of objects that do not apply to calls to ARM. Thread-safe; never throws for the content of an object.
 */
final class PolicyReader {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String SERVICE_KIND = "Service";

    private final PolicyKind kind;
    private final String version;
    private final String namespace;

    /** @param namespace the namespace of the objects and of the Service that stands for ARM */
    PolicyReader(PolicyKind kind, String version, String namespace) {
        this.kind = kind;
        this.version = version;
        this.namespace = namespace;
    }

    PolicyObject read(GenericKubernetesResource resource) {
        ObjectMeta metadata = resource.getMetadata();
        JsonNode content = MAPPER.valueToTree(resource.getAdditionalProperties());
        PolicyObject.Id id = new PolicyObject.Id(
                kind, version, namespace, metadata.getName(), metadata.getUid() == null ? "" : metadata.getUid());
        long generation = metadata.getGeneration() == null ? 0 : metadata.getGeneration();
        JsonNode spec = content.path("spec");
        List<JsonNode> references = references(metadata.getName(), spec);
        List<JsonNode> entries = entries(content);
        if (references.isEmpty()) {
            boolean hasOwn = entries.stream().anyMatch(StatusEntries::isOwn);
            return new PolicyObject(
                    id, generation, List.of(), PolicyManifests.NONE, List.of(), hasOwn ? entries : List.of());
        }
        try {
            PolicyManifests manifests = PolicyManifests.ofObject(manifest(metadata, spec));
            return new PolicyObject(id, generation, references, manifests, List.of(), entries);
        } catch (BadInputException e) {
            return new PolicyObject(id, generation, references, PolicyManifests.NONE, e.faults(), entries);
        }
    }

    /** Omits the metadata that the API server adds, which may grow with each version. */
    private ObjectNode manifest(ObjectMeta metadata, JsonNode spec) {
        ObjectNode manifest = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", kind.apiVersion(version))
                .put("kind", kind.kind());
        manifest.putObject("metadata")
                .put("name", metadata.getName())
                .put("namespace", namespace)
                .put("creationTimestamp", metadata.getCreationTimestamp());
        manifest.set("spec", spec);
        return manifest;
    }

    private List<JsonNode> entries(JsonNode content) {
        List<JsonNode> entries = new ArrayList<>();
        content.path("status").path(kind.statusList()).forEach(entries::add);
        return entries;
    }

    private List<JsonNode> references(String name, JsonNode spec) {
        List<JsonNode> references = new ArrayList<>();
        switch (kind) {
            case TRAFFIC_POLICY -> {
                for (JsonNode target : spec.path("targetRefs")) {
                    if (isService(target) && references.isEmpty()) {
                        references.add(JsonNodeFactory.instance
                                .objectNode()
                                .put("group", "")
                                .put("kind", SERVICE_KIND)
                                .put("namespace", namespace)
                                .put("name", ArmPolicies.SERVICE));
                    }
                }
            }
            case ROUTE -> {
                for (JsonNode parent : spec.path("parentRefs")) {
                    if (isService(parent)
                            && parent.path("namespace").asText(namespace).equals(namespace)
                            && !references.contains(parent)) {
                        references.add(parent);
                    }
                }
            }
            case PROFILE -> {
                String[] labels = name.split("\\.");
                if (labels[0].equals(ArmPolicies.SERVICE) && (labels.length == 1 || labels[1].equals(namespace))) {
                    references.add(JsonNodeFactory.instance.textNode(name));
                }
            }
        }
        return references;
    }

    /** A reference to the core group has to name it: the default is the group of Gateways. */
    private static boolean isService(JsonNode reference) {
        return reference.path("group").asText("?").isEmpty()
                && reference.path("kind").asText().equals(SERVICE_KIND)
                && reference.path("name").asText().equals(ArmPolicies.SERVICE);
    }
}
