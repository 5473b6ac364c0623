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
 * The manifests of files about retries. Files hold any number of documents, YAML or JSON, {@code List}s too. Immutable.
 *
 * @param routes HTTPRoutes, by {@link ManifestHead#PRECEDENCE}
 * @param traffic backend traffic policies, in the same order
 * @param profiles ServiceProfiles, in the same order
 * @param notes what was passed over, a line each
 */
public record PolicyManifests(
        List<RouteManifest> routes, List<TrafficManifest> traffic, List<ProfileManifest> profiles, List<String> notes) {

    /** The kinds that mean something. */
    static final String KINDS = "HTTPRoute, XBackendTrafficPolicy, BackendTrafficPolicy, ServiceProfile";

    /** None. */
    public static final PolicyManifests NONE = new PolicyManifests(List.of(), List.of(), List.of(), List.of());

    /** Many times what the API server takes as one object. */
    private static final int LARGEST = 16 << 20;

    public PolicyManifests {
        routes = List.copyOf(routes);
        traffic = List.copyOf(traffic);
        profiles = List.copyOf(profiles);
        notes = List.copyOf(notes);
    }

    /**
     * Every manifest of the files.
     *
     * @throws BadInputException with every fault of the files
     */
    public static PolicyManifests read(List<Path> files, PolicyDefaults defaults) throws BadInputException {
        return read(files, new ManifestCollector(TargetFilter.EVERYTHING, defaults));
    }

    /**
     * The manifests of the files that are about calls to ARM; the others are passed over with a note.
     *
     * @param namespace that of a manifest that says none
     * @throws BadInputException with every fault of the files
     */
    public static PolicyManifests readForArm(List<Path> files, String namespace) throws BadInputException {
        return read(files, new ManifestCollector(ArmPolicies.FILTER, PolicyDefaults.ARM.in(namespace)));
    }

    /**
     * An object of an API server, as a manifest about calls to ARM.
     *
     * @param object with the fields of a manifest alone: {@code apiVersion}, {@code kind}, {@code metadata},
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

    /** These and others. */
    public PolicyManifests and(Collection<PolicyManifests> others) {
        List<PolicyManifests> all = new ArrayList<>(List.of(this));
        all.addAll(others);
        return new PolicyManifests(
                sorted(all, PolicyManifests::routes, RouteManifest::head),
                sorted(all, PolicyManifests::traffic, TrafficManifest::head),
                sorted(all, PolicyManifests::profiles, ProfileManifest::head),
                all.stream().flatMap(each -> each.notes().stream()).toList());
    }

    private static <T> List<T> sorted(
            Collection<PolicyManifests> all,
            Function<PolicyManifests, List<T>> manifests,
            Function<T, ManifestHead> head) {
        return all.stream()
                .flatMap(each -> manifests.apply(each).stream())
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
            faults.add("", "holds no manifest, must hold one of " + KINDS);
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
            objects.forEach(each -> collector.read(file.toString(), each));
        }
    }
}
