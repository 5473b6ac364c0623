package dev.poolkeeper.k8s.policies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads an object, updates our entries in its status, and writes it with the version read. Not thread-safe. */
final class StatusRequests {

    private static final Logger log = LoggerFactory.getLogger(StatusRequests.class);

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int TRIES = 3;

    private final KubernetesClient client;
    private final Time time;
    private final Set<PolicyObject.Id> full = new HashSet<>();

    StatusRequests(KubernetesClient client, Time time) {
        this.client = client;
        this.time = time;
    }

    /**
     * Writes the object's conditions into its status, if they differ. Blocks.
     *
     * @param leads checked after the object was read: if this process no longer leads, others write
     * @return false if every attempt ended in a conflict, so that it has to be retried
     * @throws KubernetesClientException if the API server rejects it
     */
    boolean write(Standing standing, BooleanSupplier leads) {
        StatusEntries.Wanted wanted = wanted(standing, standing.object().entries());
        noteFull(standing.object(), wanted.isFull());
        if (wanted.entries().isEmpty()) {
            return true;
        }
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            try {
                writeOnce(standing, leads);
                return true;
            } catch (KubernetesClientException e) {
                if (e.getCode() == NOT_FOUND) {
                    return true; // the object or its kind is gone
                }
                if (e.getCode() != CONFLICT) {
                    throw e;
                }
            }
        }
        return false;
    }

    /** Forgets objects that no longer exist. */
    void retain(Set<PolicyObject.Id> ids) {
        full.retainAll(ids);
    }

    private StatusEntries.Wanted wanted(Standing standing, List<JsonNode> found) {
        return new StatusEntries(standing, time.instant()).wanted(found);
    }

    private void writeOnce(Standing standing, BooleanSupplier leads) {
        PolicyObject.Id id = standing.object().id();
        Resource<GenericKubernetesResource> resource = client.genericKubernetesResources(
                        id.kind().context(id.version()))
                .inNamespace(id.namespace())
                .withName(id.name());
        GenericKubernetesResource there = resource.get();
        if (there == null) {
            return; // the watch will report it
        }
        PolicyObject now = new PolicyReader(id.kind(), id.version(), id.namespace()).read(there);
        if (!now.id().equals(id) || now.generation() != standing.object().generation()) {
            return; // as above
        }
        ArrayNode entries = wanted(standing, now.entries()).entries().orElse(null);
        if (entries == null || !leads.getAsBoolean()) {
            return;
        }
        Map<String, Object> status = new HashMap<>();
        if (there.getAdditionalProperties().get("status") instanceof Map<?, ?> known) {
            known.forEach((key, value) -> status.put(String.valueOf(key), value));
        }
        status.put(id.kind().statusList(), MAPPER.convertValue(entries, List.class));
        there.setAdditionalProperty("status", status);
        client.genericKubernetesResources(id.kind().context(id.version()))
                .inNamespace(id.namespace())
                .resource(there)
                .updateStatus();
    }

    private void noteFull(PolicyObject object, boolean isFull) {
        if (!isFull) {
            full.remove(object.id());
        } else if (full.add(object.id())) {
            log.atWarn()
                    .addKeyValue("object", object.id())
                    .addKeyValue("entries", object.entries().size())
                    .log("Status of a retry policy has no room for our entry; the policy is in force all the same");
        }
    }
}
