package dev.poolkeeper.input.policies;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Builds manifests from objects and records those it skips. Used by one thread. */
final class ManifestCollector {

    private static final Map<String, List<String>> VERSIONS = Map.of(
            "HTTPRoute", RouteReader.VERSIONS,
            "XBackendTrafficPolicy", TrafficReader.VERSIONS,
            "BackendTrafficPolicy", TrafficReader.VERSIONS,
            "ServiceProfile", ProfileReader.VERSIONS);

    private final TargetFilter filter;
    private final String usualNamespace;
    private final RouteReader routeReader;
    private final ProfileReader profileReader;
    private final List<RouteManifest> routes = new ArrayList<>();
    private final List<TrafficManifest> traffic = new ArrayList<>();
    private final List<ProfileManifest> profiles = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    ManifestCollector(TargetFilter filter, PolicyDefaults defaults) {
        this.filter = filter;
        this.usualNamespace = defaults.namespace();
        this.routeReader = new RouteReader(defaults);
        this.profileReader = new ProfileReader(defaults);
    }

    /** Whether it is the core group's {@code List}, or the list of a kind that is read. */
    static boolean isList(JsonObject object) {
        String kind = object.node().path("kind").asText();
        if (!kind.endsWith("List") || !object.has("items")) {
            return false;
        }
        List<String> versions = VERSIONS.getOrDefault(kind.substring(0, kind.length() - "List".length()), List.of());
        return kind.equals("List")
                ? ManifestHead.groupOf(object.node().path("apiVersion").asText())
                        .isEmpty()
                : !versions.isEmpty() && !ManifestHead.isOfAnotherGroup(object, versions);
    }

    /** The manifests read so far. */
    PolicyManifests manifests() {
        return new PolicyManifests(routes, traffic, profiles, notes);
    }

    void read(String file, JsonObject object) {
        String kind = object.requiredString("kind");
        List<String> versions = VERSIONS.getOrDefault(kind, List.of());
        if (!kind.isEmpty() && (versions.isEmpty() || ManifestHead.isOfAnotherGroup(object, versions))) {
            notes.add(file + ": " + withGroup(object, kind) + " is skipped, retries are set by "
                    + (versions.isEmpty() ? PolicyManifests.KINDS : kind + " of " + String.join(", ", versions)));
        } else if (!kind.isEmpty()) {
            ManifestHead head = ManifestHead.read(file, object, versions, usualNamespace);
            switch (kind) {
                case "HTTPRoute" -> route(head, object);
                case "ServiceProfile" -> profile(head, object);
                default -> traffic(head, object);
            }
        }
    }

    private static String withGroup(JsonObject object, String kind) {
        String version = object.node().path("apiVersion").asText();
        return version.indexOf('/') < 0 ? kind : kind + " of " + version;
    }

    private void route(ManifestHead head, JsonObject object) {
        JsonNode spec = object.node().path("spec");
        boolean mayBeOurs = filter.mayNameOurs(spec.path("parentRefs"), "Gateway")
                || StreamSupport.stream(spec.path("rules").spliterator(), false)
                        .anyMatch(rule -> filter.mayNameOurs(rule.path("backendRefs"), "Service"));
        if (filter.takesAll() || mayBeOurs) {
            RouteManifest route = routeReader.read(head, object);
            if (filter.takesAll() || isOurs(route)) {
                routes.add(route);
                return;
            }
        }
        passOver(head, "no rule has a backendRef to " + filter.words());
    }

    private boolean isOurs(RouteManifest route) {
        return Stream.concat(route.parents().stream(), route.rules().stream().flatMap(rule -> rule.backends().stream()))
                .anyMatch(filter::isOurs);
    }

    private void traffic(ManifestHead head, JsonObject object) {
        JsonNode references = object.node().path("spec").path("targetRefs");
        if (references.isEmpty() || filter.mayNameOurs(references, "")) {
            TrafficManifest policy = TrafficReader.read(head, object);
            if (policy.targets().stream().anyMatch(filter::isOurs)) {
                traffic.add(policy);
                return;
            }
        }
        passOver(head, "no targetRef is " + filter.words());
    }

    private void profile(ManifestHead head, JsonObject object) {
        if (filter.isOurs(ProfileManifest.serviceOf(head.name()))) {
            profiles.add(profileReader.read(head, object));
        } else {
            passOver(head, "it is not named after " + filter.words());
        }
    }

    private void passOver(ManifestHead head, String why) {
        notes.add(head + ": is skipped, " + why);
    }
}
