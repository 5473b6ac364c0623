package dev.poolkeeper.input.policies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.YamlFile;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What manifest files set about retries. Files hold any number of documents, YAML or JSON, {@code List}s too.
 *
 * <p>Where several manifests set the same, the oldest holds, then the first by {@code namespace/name} (<a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-713/">GEP-713</a>); the others are noted as conflicting.
 *
 * @param policy when an exchange is retried, or null where no manifest says
 * @param policyFrom which manifest says so, or empty
 * @param budget the budget, or null where no manifest says
 * @param budgetFrom which manifest says so, or empty
 * @param notes what was passed over or conflicts, a line each
 */
public record PolicyFiles(
        @Nullable RetryPolicy policy,
        String policyFrom,
        @Nullable BudgetSettings budget,
        String budgetFrom,
        List<String> notes) {

    /** The name of the Service or ServiceImport that stands for ARM in manifests. */
    public static final String ARM = "azure-resource-manager";

    /** No files. */
    public static final PolicyFiles NONE = new PolicyFiles(null, "", null, "", List.of());

    /** Many times what the API server takes as one object. */
    private static final int LARGEST = 16 << 20;

    public PolicyFiles {
        notes = List.copyOf(notes);
    }

    /** @throws BadInputException with every fault of the files */
    public static PolicyFiles read(List<Path> files) throws BadInputException {
        List<InputFault> faults = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<PolicyManifest> manifests = new ArrayList<>();
        ManifestReader reader = new ManifestReader(ARM, notes::add);
        for (Path file : files) {
            FaultCollector found = new FaultCollector(file.toString());
            try {
                readOne(file, found, reader, manifests);
            } catch (BadInputException e) {
                e.faults().forEach(fault -> found.add(fault.place(), fault.problem()));
            }
            faults.addAll(found.faults());
        }
        if (!faults.isEmpty()) {
            throw new BadInputException(faults);
        }
        manifests.sort(PolicyManifest.PRECEDENCE);
        PolicyManifest policy = first(manifests, PolicyManifest::policy, "retries", notes);
        PolicyManifest budget = first(manifests, PolicyManifest::budget, "the retry budget", notes);
        return new PolicyFiles(
                policy == null ? null : policy.policy(),
                policy == null ? "" : policy.name(),
                budget == null ? null : budget.budget(),
                budget == null ? "" : budget.name(),
                notes);
    }

    private static @Nullable PolicyManifest first(
            List<PolicyManifest> manifests,
            Function<PolicyManifest, @Nullable Object> aspect,
            String what,
            List<String> notes) {
        List<PolicyManifest> setting = manifests.stream()
                .filter(manifest -> aspect.apply(manifest) != null)
                .toList();
        setting.stream()
                .skip(1)
                .forEach(manifest -> notes.add(manifest.name() + ": conflicts, " + what + " are set by "
                        + setting.get(0).name() + ", which is older or comes first by name"));
        return setting.isEmpty() ? null : setting.get(0);
    }

    private static void readOne(Path file, FaultCollector faults, ManifestReader reader, List<PolicyManifest> manifests)
            throws BadInputException {
        List<JsonNode> documents = YamlFile.documents(file, LARGEST);
        if (documents.isEmpty()) {
            faults.add("", "holds no manifest, must hold one of " + ManifestReader.KINDS);
        }
        for (int i = 0; i < documents.size(); i++) {
            String place = documents.size() == 1 ? "" : "document " + (i + 1) + ":";
            if (!(documents.get(i) instanceof ObjectNode fields)) {
                faults.add(place, "is no manifest, must be an object with a kind");
                continue;
            }
            JsonObject object = JsonObject.of(fields, place, faults);
            List<JsonObject> objects = object.node().path("kind").asText().endsWith("List") && object.has("items")
                    ? object.objects("items")
                    : List.of(object);
            objects.forEach(each -> reader.read(file.toString(), each).ifPresent(manifests::add));
        }
    }
}
