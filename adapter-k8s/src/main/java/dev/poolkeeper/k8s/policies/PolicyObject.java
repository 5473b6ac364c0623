package dev.poolkeeper.k8s.policies;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.policies.PolicyManifests;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an object that says something about retries. Immutable.
 *
 * @param id which object
 * @param generation of its spec
 * @param references by which it refers to the Service that stands for ARM, as its status has to repeat them; none if it
 *     is about something else
 * @param manifests what it sets: one manifest, or none if it cannot be read and never could
 * @param faults why it cannot be read as it is now; then the manifest is that of the last generation that could
 * @param entries of its status, by whatever controllers
 */
public record PolicyObject(
        Id id,
        long generation,
        List<JsonNode> references,
        PolicyManifests manifests,
        List<InputFault> faults,
        List<JsonNode> entries) {

    public PolicyObject {
        references = List.copyOf(references);
        faults = List.copyOf(faults);
        entries = List.copyOf(entries);
    }

    /**
     * Which object.
     *
     * @param kind its kind
     * @param version of the API that it was read with
     * @param namespace its namespace
     * @param name its name
     * @param uid its own: one that is created again has another
     */
    public record Id(PolicyKind kind, String version, String namespace, String name, String uid) {

        /** {@code Kind namespace/name}. */
        @Override
        public String toString() {
            return kind.kind() + " " + namespace + "/" + name;
        }
    }

    /** Whether it is about calls to ARM. */
    public boolean isOurs() {
        return !references.isEmpty();
    }

    /** Whether what it set before is still obeyed although it cannot be read as it is now. */
    boolean holdsEarlier() {
        return !faults.isEmpty() && !manifests.equals(PolicyManifests.NONE);
    }

    /** This object as it is now, with what its last good generation set. */
    PolicyObject after(@Nullable PolicyObject earlier) {
        return earlier == null || faults.isEmpty() || !isOurs() || !id.equals(earlier.id)
                ? this
                : new PolicyObject(id, generation, references, earlier.manifests, faults, entries);
    }
}
