package dev.poolkeeper.input.policies;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Builds manifests from objects and records those it skips. Used by one thread. */
final class ManifestCollector {

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

    /** The manifests read so far. */
    PolicyManifests manifests() {
        routes.sort(Comparator.comparing(RouteManifest::head, ManifestHead.PRECEDENCE));
        traffic.sort(Comparator.comparing(TrafficManifest::head, ManifestHead.PRECEDENCE));
        profiles.sort(Comparator.comparing(ProfileManifest::head, ManifestHead.PRECEDENCE));
        return new PolicyManifests(routes, traffic, profiles, notes);
    }

    void read(String file, JsonObject object) {
        String kind = object.requiredString("kind");
        switch (kind) {
            case "HTTPRoute" -> route(ManifestHead.read(file, object, RouteReader.VERSIONS, usualNamespace), object);
            case "XBackendTrafficPolicy", "BackendTrafficPolicy" ->
                traffic(ManifestHead.read(file, object, TrafficReader.VERSIONS, usualNamespace), object);
            case "ServiceProfile" ->
                profile(ManifestHead.read(file, object, ProfileReader.VERSIONS, usualNamespace), object);
            default -> {
                if (!kind.isEmpty()) {
                    notes.add(file + ": " + kind + " is skipped, retries are set by " + PolicyManifests.KINDS);
                }
            }
        }
    }

    private void route(ManifestHead head, JsonObject object) {
        JsonNode spec = object.node().path("spec");
        boolean mayBeOurs = Stream.concat(
                        Stream.of(spec.path("parentRefs")),
                        StreamSupport.stream(spec.path("rules").spliterator(), false)
                                .map(rule -> rule.path("backendRefs")))
                .anyMatch(filter::mayNameOurs);
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
        if (references.isEmpty() || filter.mayNameOurs(references)) {
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
