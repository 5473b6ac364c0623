package dev.poolkeeper.k8s.policies;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.policies.PolicyManifests;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an object with retry settings that are kept. Immutable.
 *
 * @param id identifies the object
 * @param generation of its spec
 * @param references its references to the Service that stands for ARM, which its status has to repeat; none if it
 *     targets something else
 * @param manifests its settings: one manifest, or none if no generation of it was readable
 * @param faults why its current generation cannot be read; the manifest is then that of the last readable generation
 * @param entries the entries of its status, from all controllers
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
     * Identifies an object.
     *
     * @param kind its kind
     * @param version the API version that it was read with
     * @param namespace its namespace
     * @param name its name
     * @param uid its uid, which changes when the object is recreated
     */
    public record Id(PolicyKind kind, String version, String namespace, String name, String uid) {

        /** {@code Kind namespace/name}. */
        @Override
        public String toString() {
            return kind.kind() + " " + namespace + "/" + name;
        }
    }

    /** Whether it applies to calls to ARM. */
    public boolean isOurs() {
        return !references.isEmpty();
    }

    /** Whether its current generation cannot be read and an earlier one still applies. */
    boolean holdsEarlier() {
        return !faults.isEmpty() && !manifests.equals(PolicyManifests.NONE);
    }

    /** The current object with the manifest of its last readable generation. */
    PolicyObject after(@Nullable PolicyObject earlier) {
        return earlier == null || faults.isEmpty() || !isOurs() || !id.equals(earlier.id)
                ? this
                : new PolicyObject(id, generation, references, earlier.manifests, faults, entries);
    }
}
