package dev.poolkeeper.k8s.permissions;

import java.util.Optional;

/**
 * A permission that is denied, or whose review failed.
 *
 * @param permission the permission
 * @param reviewFailure why the review failed; empty if the permission is denied
 */
public record MissingPermission(Permission permission, Optional<String> reviewFailure) {

    static MissingPermission denied(Permission permission) {
        return new MissingPermission(permission, Optional.empty());
    }

    static MissingPermission unknown(Permission permission, String why) {
        return new MissingPermission(permission, Optional.of(why));
    }

    /** One line: what is missing, and how to grant it. */
    @Override
    public String toString() {
        return reviewFailure
                .map(why -> "unknown whether we may " + permission + ": " + why)
                .orElseGet(() -> "may not %s: add apiGroups [\"%s\"], resources [\"%s\"], verbs [\"%s\"] to %s"
                        .formatted(
                                permission,
                                permission.group(),
                                permission.resource(),
                                permission.verb(),
                                permission.namespace().isEmpty()
                                        ? "the ClusterRole of our service account"
                                        : "the Role of our service account in namespace \"" + permission.namespace()
                                                + "\""));
    }
}
