package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.status.DaemonStatus.MissingPermission;
import dev.poolkeeper.azure.AzurePermissions;
import dev.poolkeeper.azure.AzurePools;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks at the start what our identities may do, so that what is missing is told before it hurts. Thread-safe. */
public final class Permissions {

    private static final Logger log = LoggerFactory.getLogger(Permissions.class);

    private final AzurePools azure;
    private final boolean writes;
    private volatile List<MissingPermission> missing = List.of();

    /** @param writes whether the daemon writes; else what is needed for writing is not missed */
    public Permissions(AzurePools azure, boolean writes) {
        this.azure = azure;
        this.writes = writes;
    }

    /** Asks, which takes a while. Never throws for what it finds. */
    void probe() {
        List<MissingPermission> found = new ArrayList<>();
        AzurePermissions permissions = azure.probe();
        permissions.missing().stream()
                .filter(one -> writes || one.action().endsWith("/read"))
                .forEach(one -> found.add(new MissingPermission(
                        "Azure",
                        one.action() + " at " + one.scope() + ", to " + one.use(),
                        "assign a role that has it to this daemon's identity")));
        permissions.untold().forEach(line -> log.atInfo().log("Permissions in Azure: {}", line));
        found.forEach(one -> log.atWarn()
                .addKeyValue("permission", one.permission())
                .addKeyValue("where", one.where())
                .log("A permission is missing: {}", one.remedy()));
        missing = List.copyOf(found);
    }

    /** What the last probe found. */
    public List<MissingPermission> missing() {
        return missing;
    }
}
