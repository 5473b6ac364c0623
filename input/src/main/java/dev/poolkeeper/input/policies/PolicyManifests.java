package dev.poolkeeper.input.policies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.YamlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Manifests that configure retries. Files contain any number of documents, YAML or JSON, including {@code List}s.
 * Immutable.
 *
 * @param routes HTTPRoutes, in order of {@link ManifestHead#PRECEDENCE}
 * @param traffic backend traffic policies, in the same order
 * @param profiles ServiceProfiles, in the same order
 * @param notes one line for each skipped object
 */
public record PolicyManifests(
        List<RouteManifest> routes, List<TrafficManifest> traffic, List<ProfileManifest> profiles, List<String> notes) {

    /** The supported kinds. */
    static final String KINDS = "HTTPRoute, XBackendTrafficPolicy, BackendTrafficPolicy, ServiceProfile";

    /** No manifests. */
    public static final PolicyManifests NONE = new PolicyManifests(List.of(), List.of(), List.of(), List.of());

    /** Many times the size of an object that the API server accepts. */
    private static final int LARGEST = 16 << 20;

    public PolicyManifests {
        routes = sorted(routes, RouteManifest::head);
        traffic = sorted(traffic, TrafficManifest::head);
        profiles = sorted(profiles, ProfileManifest::head);
        notes = List.copyOf(notes);
    }

    /**
     * Reads all manifests in the files.
     *
     * @throws BadInputException with every fault of the files
     */
    public static PolicyManifests read(List<Path> files, PolicyDefaults defaults) throws BadInputException {
        return read(files, new ManifestCollector(TargetFilter.EVERYTHING, defaults));
    }

    /**
     * Reads the manifests in the files that are for calls to ARM; the others are skipped with a note.
     *
     * @param namespace the namespace of manifests that have none
     * @throws BadInputException with every fault of the files
     */
    public static PolicyManifests readForArm(List<Path> files, String namespace) throws BadInputException {
        return read(files, new ManifestCollector(ArmPolicies.FILTER, PolicyDefaults.ARM.in(namespace)));
    }

    /**
     * Reads an object from an API server as a manifest for calls to ARM.
     *
     * @param object with only the fields of a manifest: {@code apiVersion}, {@code kind}, {@code metadata},
     *     {@code spec}
     * @throws BadInputException with every fault of the object
     */
    public static PolicyManifests ofObject(ObjectNode object) throws BadInputException {
        FaultCollector faults = new FaultCollector("");
        ManifestCollector collector = new ManifestCollector(ArmPolicies.FILTER, PolicyDefaults.ARM);
        collector.read("", JsonObject.of(object, "", faults));
        faults.throwIfAny();
        return collector.manifests();
    }

    /** Combines these manifests with others. */
    public PolicyManifests and(Collection<PolicyManifests> others) {
        List<PolicyManifests> all = new ArrayList<>(List.of(this));
        all.addAll(others);
        return new PolicyManifests(
                joined(all, PolicyManifests::routes),
                joined(all, PolicyManifests::traffic),
                joined(all, PolicyManifests::profiles),
                joined(all, PolicyManifests::notes));
    }

    private static <T> List<T> joined(List<PolicyManifests> all, Function<PolicyManifests, List<T>> part) {
        return all.stream().flatMap(each -> part.apply(each).stream()).toList();
    }

    private static <T> List<T> sorted(List<T> manifests, Function<T, ManifestHead> head) {
        return manifests.stream()
                .sorted(Comparator.comparing(head, ManifestHead.PRECEDENCE))
                .toList();
    }

    private static PolicyManifests read(List<Path> files, ManifestCollector collector) throws BadInputException {
        List<InputFault> faults = new ArrayList<>();
        for (Path file : files) {
            FaultCollector found = new FaultCollector(file.toString());
            try {
                readOne(file, found, collector);
            } catch (BadInputException e) {
                e.faults().forEach(fault -> found.add(fault.place(), fault.problem()));
            }
            faults.addAll(found.faults());
        }
        if (!faults.isEmpty()) {
            throw new BadInputException(faults);
        }
        return collector.manifests();
    }

    private static void readOne(Path file, FaultCollector faults, ManifestCollector collector)
            throws BadInputException {
        List<JsonNode> documents = YamlFile.documents(file, LARGEST);
        if (documents.isEmpty()) {
            faults.add("", "contains no manifest, must contain one of " + KINDS);
        }
        for (int i = 0; i < documents.size(); i++) {
            String place = documents.size() == 1 ? "" : "document " + (i + 1) + ":";
            if (!(documents.get(i) instanceof ObjectNode fields)) {
                faults.add(place, "is not a manifest, must be an object with a kind");
                continue;
            }
            JsonObject object = JsonObject.of(fields, place, faults);
            List<JsonObject> objects = ManifestCollector.isList(object) ? object.objects("items") : List.of(object);
            objects.forEach(each -> collector.read(file.toString(), each));
        }
    }
}
