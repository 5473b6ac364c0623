package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.status.DaemonStatus.MissingPermission;
import dev.poolkeeper.azure.identity.AzurePermissions;
import dev.poolkeeper.k8s.permissions.KubernetesPermissions;
import dev.poolkeeper.k8s.permissions.Permission;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the permissions of our identities at the start, so that missing ones are reported early, and missing ones
 * again until they are granted. Thread-safe.
 */
public final class Permissions {

    private static final Logger log = LoggerFactory.getLogger(Permissions.class);

    private static final Duration BETWEEN_PROBES = Duration.ofMinutes(5);
    private static final String KUBERNETES = "Kubernetes";
    private static final String AZURE = "Azure";

    private final Supplier<AzurePermissions> azure;
    private final boolean writes;
    private final KubernetesClient kubernetes;
    private final List<Permission> required;
    private final Time time;
    private List<NotKnown> unchecked = List.of(); // used by one probe at a time
    private volatile List<Lack> missing = List.of();

    /**
     * @param azure probes Azure
     * @param writes whether the daemon writes; if not, permissions for writing are not reported as missing
     * @param kubernetes the client for probing the API server
     * @param required the permissions required there
     * @param time schedules further probes
     */
    public Permissions(
            Supplier<AzurePermissions> azure,
            boolean writes,
            KubernetesClient kubernetes,
            List<Permission> required,
            Time time) {
        this.azure = azure;
        this.writes = writes;
        this.kubernetes = kubernetes;
        this.required = List.copyOf(required);
        this.time = time;
    }

    /** @param asked what an answer must be known about for it to be granted: the permission itself, or a scope */
    private record Lack(MissingPermission permission, String asked) {}

    /** Why permissions could not be checked. */
    private record NotKnown(String where, String reason) {}

    /**
     * Runs the probes, which takes a while; as long as one finds a permission missing, again after some minutes. Never
     * throws because of their results.
     */
    void probe() {
        try {
            check();
        } finally { // whatever it ended with
            if (!missing.isEmpty()) {
                time.schedule(BETWEEN_PROBES, this::probe);
            }
        }
    }

    private void check() {
        List<Lack> found = new ArrayList<>();
        Set<String> withoutAnswer = new HashSet<>();
        Map<String, List<String>> unknown = new LinkedHashMap<>();
        KubernetesPermissions.missing(kubernetes, required).forEach(one -> {
            String permission = one.permission().toString();
            one.reviewFailure()
                    .ifPresentOrElse(
                            why -> {
                                withoutAnswer.add(permission);
                                unknown.computeIfAbsent(why, key -> new ArrayList<>())
                                        .add(permission);
                            },
                            () -> found.add(new Lack(
                                    new MissingPermission(KUBERNETES, permission, one.toString()), permission)));
        });
        AzurePermissions permissions = azure.get();
        permissions.missing().stream()
                .filter(one -> writes || one.action().endsWith("/read"))
                .forEach(one ->
                        found.add(new Lack(new MissingPermission(AZURE, one.action(), one.describe()), one.scope())));
        List<NotKnown> notKnown = new ArrayList<>();
        unknown.forEach((why, names) -> notKnown.add(
                new NotKnown(KUBERNETES, "%s; could not check: %s".formatted(why, String.join(", ", names)))));
        permissions.unknown().forEach(one -> {
            withoutAnswer.add(one.scope());
            notKnown.add(new NotKnown(AZURE, one.reason()));
        });
        List<Lack> before = missing;
        before.stream()
                .filter(one -> !found.contains(one) && withoutAnswer.contains(one.asked()))
                .forEach(found::add);
        missing = List.copyOf(found);
        report(permissionsOf(before), permissionsOf(found), notKnown);
    }

    private static List<MissingPermission> permissionsOf(List<Lack> lacks) {
        return lacks.stream().map(Lack::permission).toList();
    }

    /** Logs what has changed since the previous probe. */
    private void report(List<MissingPermission> before, List<MissingPermission> now, List<NotKnown> notKnown) {
        notKnown.stream()
                .filter(one -> !unchecked.contains(one))
                .forEach(one -> log.atInfo()
                        .addKeyValue("where", one.where())
                        .addKeyValue("reason", one.reason())
                        .log("Permissions could not be checked"));
        unchecked = List.copyOf(notKnown);
        now.stream()
                .filter(one -> !before.contains(one))
                .forEach(one -> log.atWarn()
                        .addKeyValue("where", one.where())
                        .addKeyValue("remedy", one.remedy())
                        .log("Permission missing"));
        before.stream()
                .filter(one -> !now.contains(one))
                .forEach(one -> log.atInfo()
                        .addKeyValue("where", one.where())
                        .addKeyValue("permission", one.permission())
                        .log("Permission granted"));
    }

    /** The permissions that the last probe found missing. */
    public List<MissingPermission> missing() {
        return permissionsOf(missing);
    }
}
