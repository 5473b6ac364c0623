package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyManifests;
import java.util.List;

/**
 * All policies of the cluster at one moment. Immutable.
 *
 * @param targetExists whether the Service that stands for ARM exists; without it no object applies
 * @param objects the objects that apply to calls to ARM, and those with an entry of ours in their status
 */
public record PolicySnapshot(boolean targetExists, List<PolicyObject> objects) {

    /** No target and no objects. */
    public static final PolicySnapshot NONE = new PolicySnapshot(false, List.of());

    public PolicySnapshot {
        objects = List.copyOf(objects);
    }

    /** The manifests that apply, for {@link ArmPolicies#of}. */
    public List<PolicyManifests> manifests() {
        return targetExists ? objects.stream().map(PolicyObject::manifests).toList() : List.of();
    }

    /** The conditions to report on each object, as judged by the policies. */
    public List<Standing> standings(ArmPolicies policies) {
        return Standings.of(this, policies);
    }
}
