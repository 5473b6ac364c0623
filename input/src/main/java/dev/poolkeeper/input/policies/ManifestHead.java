package dev.poolkeeper.input.policies;

import static java.util.Objects.requireNonNullElse;

import dev.poolkeeper.input.JsonObject;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The kind and metadata of a manifest.
 *
 * @param file its file; empty for an object in the cluster
 * @param kind such as {@code HTTPRoute}
 * @param namespace its namespace, or the default if it has none
 * @param name its name
 * @param created its {@code creationTimestamp}; {@link Instant#MAX} if it has none
 */
public record ManifestHead(String file, String kind, String namespace, String name, Instant created) {

    /**
     * GEP-713: the oldest takes precedence, then the first by {@code namespace/name}. Manifests without a timestamp
     * come last.
     */
    public static final Comparator<ManifestHead> PRECEDENCE = Comparator.comparing(ManifestHead::created)
            .thenComparing(ManifestHead::path)
            .thenComparing(ManifestHead::toString);

    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_LABEL = 63;
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final List<String> TOP = List.of("apiVersion", "kind", "metadata", "spec", "status");
    private static final List<String> METADATA = List.of(
            "name",
            "namespace",
            "labels",
            "annotations",
            "creationTimestamp",
            "generateName",
            "generation",
            "resourceVersion",
            "uid",
            "selfLink",
            "finalizers",
            "ownerReferences",
            "managedFields",
            "deletionTimestamp",
            "deletionGracePeriodSeconds");

    /**
     * Whether the object has a kind's name, but not its API group. A group of Kubernetes that is not the kind's is a
     * mistake rather than another kind: no other controller may use these names.
     *
     * @param apiVersions those of the kind, all of one group
     */
    static boolean isOfAnotherGroup(JsonObject object, List<String> apiVersions) {
        String group = groupOf(object.node().path("apiVersion").asText());
        return !group.isEmpty() && !group.equalsIgnoreCase(groupOf(apiVersions.get(0))) && !group.endsWith("k8s.io");
    }

    /** Empty for the core group, or without a version. */
    static String groupOf(String apiVersion) {
        return apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
    }

    /** Reads the head of an object whose {@code kind} is known; invalid values become faults. */
    static ManifestHead read(String file, JsonObject object, List<String> apiVersions, String usualNamespace) {
        object.allowOnly(TOP);
        String version = object.requiredString("apiVersion");
        if (!version.isEmpty() && !apiVersions.contains(version)) {
            object.fault(
                    "apiVersion",
                    "found \"" + version + "\", must be "
                            + (apiVersions.size() == 1 ? "" : "one of ")
                            + String.join(", ", apiVersions));
        }
        JsonObject metadata = object.object("metadata");
        metadata.allowOnly(METADATA);
        String name = metadata.requiredString("name");
        if (!name.isEmpty()) {
            check(metadata, "name", name, SUBDOMAIN, LONGEST_NAME);
        }
        String namespace = requireNonNullElse(metadata.optionalString("namespace"), usualNamespace);
        check(metadata, "namespace", namespace, LABEL, LONGEST_LABEL);
        if (!object.has("spec")) {
            object.fault("spec", "is missing, must be an object");
        }
        return new ManifestHead(file, object.node().path("kind").asText(), namespace, name, createdAt(metadata));
    }

    private static void check(JsonObject metadata, String field, String text, Pattern allowed, int longest) {
        if (text.length() > longest || !allowed.matcher(text).matches()) {
            metadata.fault(
                    field,
                    "found \"" + text + "\", must be lower-case letters, digits, - "
                            + (allowed == LABEL ? "" : "and . ") + "of " + longest + " characters at most");
        }
    }

    private static Instant createdAt(JsonObject metadata) {
        String text = metadata.optionalString("creationTimestamp");
        if (text == null) {
            return Instant.MAX;
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            metadata.fault(
                    "creationTimestamp",
                    "found \"" + text + "\", must be a time such as 2026-01-02T15:04:05Z (RFC 3339)");
            return Instant.MAX;
        }
    }

    /** {@code namespace/name}. */
    public String path() {
        return namespace + "/" + name;
    }

    /** {@code file: Kind namespace/name}, without the file for an object in the cluster. */
    @Override
    public String toString() {
        return (file.isEmpty() ? "" : file + ": ") + kind + " " + path();
    }
}
