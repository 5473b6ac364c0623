package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyManifests;
import java.util.List;

/**
 * All policies of the cluster at one moment. Immutable.
 *
 * @param targetExists whether there is the Service that stands for ARM; without it no object is obeyed
 * @param objects those about calls to ARM, and those that have an entry of ours in their status
 */
public record PolicySnapshot(boolean targetExists, List<PolicyObject> objects) {

    /** No target, no object. */
    public static final PolicySnapshot NONE = new PolicySnapshot(false, List.of());

    public PolicySnapshot {
        objects = List.copyOf(objects);
    }

    /** What counts, for {@link ArmPolicies#of}. */
    public List<PolicyManifests> manifests() {
        return targetExists ? objects.stream().map(PolicyObject::manifests).toList() : List.of();
    }

    /** What is said about each object, as the policies judge it. */
    public List<Standing> standings(ArmPolicies policies) {
        return Standings.of(this, policies);
    }
}
