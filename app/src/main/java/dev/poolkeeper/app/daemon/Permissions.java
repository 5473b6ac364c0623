package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.status.DaemonStatus.MissingPermission;
import dev.poolkeeper.azure.identity.AzurePermissions;
import dev.poolkeeper.k8s.permissions.KubernetesPermissions;
import dev.poolkeeper.k8s.permissions.Permission;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the permissions of our identities at the start, so that missing ones are reported early. Thread-safe. */
public final class Permissions {

    private static final Logger log = LoggerFactory.getLogger(Permissions.class);

    private final Supplier<AzurePermissions> azure;
    private final boolean writes;
    private final KubernetesClient kubernetes;
    private final List<Permission> required;
    private volatile List<MissingPermission> missing = List.of();

    /**
     * @param azure probes Azure
     * @param writes whether the daemon writes; if not, permissions for writing are not reported as missing
     * @param kubernetes the client for probing the API server
     * @param required the permissions required there
     */
    public Permissions(
            Supplier<AzurePermissions> azure, boolean writes, KubernetesClient kubernetes, List<Permission> required) {
        this.azure = azure;
        this.writes = writes;
        this.kubernetes = kubernetes;
        this.required = List.copyOf(required);
    }

    /** Runs the probes, which takes a while. Never throws because of their results. */
    void probe() {
        List<MissingPermission> found = new ArrayList<>();
        Map<String, List<String>> unknown = new LinkedHashMap<>();
        KubernetesPermissions.missing(kubernetes, required)
                .forEach(one -> one.reviewFailure()
                        .ifPresentOrElse(
                                why -> unknown.computeIfAbsent(why, key -> new ArrayList<>())
                                        .add(one.permission().toString()),
                                () -> found.add(new MissingPermission(
                                        "Kubernetes", one.permission().toString(), one.toString()))));
        unknown.forEach((why, permissions) ->
                notKnown("Kubernetes", "%s; could not check: %s".formatted(why, String.join(", ", permissions))));
        AzurePermissions permissions = azure.get();
        permissions.missing().stream()
                .filter(one -> writes || one.action().endsWith("/read"))
                .forEach(one -> found.add(new MissingPermission("Azure", one.action(), one.describe())));
        permissions.unknown().forEach(line -> notKnown("Azure", line));
        found.forEach(one -> log.atWarn()
                .addKeyValue("where", one.where())
                .addKeyValue("remedy", one.remedy())
                .log("Permission missing"));
        missing = List.copyOf(found);
    }

    private static void notKnown(String where, String reason) {
        log.atInfo().addKeyValue("where", where).addKeyValue("reason", reason).log("Permissions could not be checked");
    }

    /** The permissions that the probe found missing. */
    public List<MissingPermission> missing() {
        return missing;
    }
}
