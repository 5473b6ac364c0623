package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.BackendRef;
import dev.poolkeeper.input.policies.ManifestHead;
import dev.poolkeeper.input.policies.RouteManifest;
import dev.poolkeeper.k8s.policies.Standing.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Translates the verdicts on manifests into conditions of the objects that they came from. */
final class Standings {

    /** In one message; the CRDs allow 32,768 characters. */
    private static final int FAULTS_SHOWN = 5;

    private static final String OBEYED = "In force for calls to Azure Resource Manager";

    private Standings() {}

    /** @param policies the policies built from the objects' manifests */
    static List<Standing> of(PolicySnapshot snapshot, ArmPolicies policies) {
        return snapshot.objects().stream()
                .map(object -> new Standing(
                        object, object.isOurs() ? conditions(object, snapshot, policies) : List.<Condition>of()))
                .toList();
    }

    private static List<Condition> conditions(PolicyObject object, PolicySnapshot snapshot, ArmPolicies policies) {
        List<Condition> conditions = new ArrayList<>(List.of(accepted(object, snapshot, policies)));
        if (object.faults().isEmpty()) {
            object.manifests().routes().forEach(route -> conditions.add(resolved(route)));
        }
        return conditions;
    }

    private static Condition accepted(PolicyObject object, PolicySnapshot snapshot, ArmPolicies policies) {
        if (!object.faults().isEmpty()) {
            return refused("Invalid", faults(object));
        }
        if (!snapshot.targetExists()) {
            return refused(
                    "TargetNotFound",
                    "There is no Service %s in this namespace: create it, of type ExternalName, to put this policy in force"
                            .formatted(ArmPolicies.SERVICE));
        }
        List<String> ignored = new ArrayList<>();
        for (ManifestHead head : heads(object)) {
            ArmPolicies.Verdict verdict = policies.verdicts().get(head);
            if (verdict != null && !verdict.conflicts().isEmpty()) {
                return refused("Conflicted", "Not in force: " + String.join("; ", verdict.conflicts()));
            }
            ignored.addAll(verdict == null ? List.of() : verdict.ignored());
        }
        return new Condition(
                Standing.ACCEPTED,
                true,
                "Accepted",
                ignored.isEmpty() ? OBEYED : OBEYED + ", except: " + String.join("; ", ignored));
    }

    private static Condition refused(String reason, String message) {
        return new Condition(Standing.ACCEPTED, false, reason, message);
    }

    private static String faults(PolicyObject object) {
        List<InputFault> faults = object.faults();
        String shown = faults.stream()
                .limit(FAULTS_SHOWN)
                .map(fault -> InputFault.line(
                        fault.place().isEmpty() ? fault.problem() : fault.place() + ": " + fault.problem()))
                .collect(Collectors.joining("; "));
        int more = faults.size() - FAULTS_SHOWN;
        return shown
                + (more > 0 ? "; and " + more + " more" : "")
                + (object.holdsEarlier()
                        ? ". Until this is corrected, its previous settings stay in force"
                        : ". Not in force");
    }

    private static List<ManifestHead> heads(PolicyObject object) {
        return Stream.of(
                        object.manifests().routes().stream().map(RouteManifest::head),
                        object.manifests().traffic().stream().map(traffic -> traffic.head()),
                        object.manifests().profiles().stream().map(profile -> profile.head()))
                .flatMap(each -> each)
                .toList();
    }

    private static Condition resolved(RouteManifest route) {
        return route.rules().stream()
                .flatMap(rule -> rule.backends().stream())
                .filter(backend -> !isArm(backend, route))
                .findFirst()
                .map(backend -> unresolved(backend, route))
                .orElseGet(() -> new Condition(
                        Standing.RESOLVED_REFS, true, "ResolvedRefs", "Every backendRef names the Service"));
    }

    private static boolean isArm(BackendRef backend, RouteManifest route) {
        return backend.group().isEmpty()
                && backend.kind().equals("Service")
                && backend.name().equals(ArmPolicies.SERVICE)
                && backend.namespace().equals(route.head().namespace());
    }

    private static Condition unresolved(BackendRef backend, RouteManifest route) {
        boolean isService = backend.group().isEmpty() && backend.kind().equals("Service");
        boolean isNear = backend.namespace().equals(route.head().namespace());
        return new Condition(
                Standing.RESOLVED_REFS,
                false,
                !isService ? "InvalidKind" : isNear ? "BackendNotFound" : "RefNotPermitted",
                "%s is not the target of these calls: they go to Azure Resource Manager, the Service %s in this namespace"
                        .formatted(backend, ArmPolicies.SERVICE));
    }
}
