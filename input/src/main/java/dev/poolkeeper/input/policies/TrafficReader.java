package dev.poolkeeper.input.policies;

import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads an XBackendTrafficPolicy, or a BackendTrafficPolicy as in the first draft of GEP-3388. Invalid values become
 * faults.
 */
final class TrafficReader {

    static final List<String> VERSIONS = List.of("gateway.networking.x-k8s.io/v1alpha1");

    private static final String DRAFT = "BackendTrafficPolicy";
    private static final List<String> SPEC = List.of("targetRefs", "retryConstraint", "sessionPersistence");
    private static final List<String> DRAFT_SPEC =
            List.of("targetRefs", "retryConstraint", "retry", "sessionPersistence");
    private static final int MOST_TARGETS = 16;

    private TrafficReader() {}

    static TrafficManifest read(ManifestHead head, JsonObject object) {
        JsonObject spec = object.object("spec");
        boolean isDraft = head.kind().equals(DRAFT);
        spec.allowOnly(isDraft ? DRAFT_SPEC : SPEC);
        List<BackendRef> targets = targets(spec, head);
        if (spec.has("sessionPersistence")) {
            spec.fault("sessionPersistence", "is not supported, must be left out");
        }
        BudgetSettings budget = PolicyStanzas.ofConstraint(spec);
        if (isDraft && spec.has("retry")) {
            if (spec.has("retryConstraint")) {
                spec.fault("retry", "is the older spelling of retryConstraint, must be left out next to it");
            }
            budget = PolicyStanzas.ofFirstDraft(spec);
        }
        return new TrafficManifest(head, targets, budget);
    }

    private static List<BackendRef> targets(JsonObject spec, ManifestHead head) {
        List<JsonObject> refs = spec.objects("targetRefs");
        if (refs.isEmpty() || refs.size() > MOST_TARGETS) {
            spec.fault("targetRefs", "found " + refs.size() + " elements, must have 1 to " + MOST_TARGETS);
        }
        Set<String> seen = new HashSet<>();
        List<BackendRef> targets = new ArrayList<>();
        for (int i = 0; i < refs.size(); i++) {
            BackendRef target = BackendRef.ofPolicy(refs.get(i), head);
            targets.add(target);
            if (!seen.add(target.toString())) {
                spec.fault("targetRefs[" + i + "]", "found " + target + " twice, must be a set");
            }
        }
        return targets;
    }
}
