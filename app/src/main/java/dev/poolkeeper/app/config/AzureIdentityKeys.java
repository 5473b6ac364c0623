package dev.poolkeeper.app.config;

import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the keys of our identity in Azure. */
final class AzureIdentityKeys {

    private AzureIdentityKeys() {}

    private static final long LONGEST_SECRET = 4_096;

    /** @param isMeant whether the keys that the chosen authentication needs are required */
    static AzureIdentitySettings read(Settings settings, boolean isMeant) {
        switchWorkloadIdentityOn(settings);
        AzureIdentitySettings identity = new AzureIdentitySettings(
                settings.find(Keys.TENANT_ID),
                networkTenant(settings),
                settings.find(Keys.CLIENT_ID),
                secret(settings),
                settings.find(Keys.CLIENT_CERT_PATH),
                settings.find(Keys.CLIENT_CERT_PASSWORD),
                settings.get(Keys.USE_MANAGED_IDENTITY),
                settings.find(Keys.USER_ASSIGNED_IDENTITY_ID),
                settings.get(Keys.USE_WORKLOAD_IDENTITY),
                settings.find(Keys.FEDERATED_TOKEN_FILE));
        if (isMeant) {
            requireCredentials(settings, identity);
        }
        return identity;
    }

    /**
     * The webhook of workload identity sets the variable, which by itself enables workload identity, as in the cloud
     * provider.
     */
    private static void switchWorkloadIdentityOn(Settings settings) {
        if (settings.isFromEnvironment(Keys.FEDERATED_TOKEN_FILE)) {
            settings.replace(Keys.USE_WORKLOAD_IDENTITY, true, settings.originOf(Keys.FEDERATED_TOKEN_FILE));
        }
    }

    /** The cloud provider requests tokens of workload identity only in the cluster's own tenant. */
    private static @Nullable String networkTenant(Settings settings) {
        if (settings.get(Keys.USE_WORKLOAD_IDENTITY) && settings.isSet(Keys.NETWORK_RESOURCE_TENANT_ID)) {
            settings.note(Keys.NETWORK_RESOURCE_TENANT_ID.name() + ": not used with workload identity");
            settings.disable(Keys.NETWORK_RESOURCE_TENANT_ID, "not used with workload identity");
            return settings.find(Keys.TENANT_ID);
        }
        return settings.find(Keys.NETWORK_RESOURCE_TENANT_ID);
    }

    /** The secret, or the content of its file without the line end. */
    private static @Nullable String secret(Settings settings) {
        String secret = settings.find(Keys.CLIENT_SECRET);
        String name = settings.find(Keys.CLIENT_SECRET_FILE);
        if (name == null) {
            return secret;
        }
        if (settings.isFromEnvironment(Keys.CLIENT_SECRET)) {
            settings.disable(Keys.CLIENT_SECRET_FILE, Keys.CLIENT_SECRET.variable() + " takes precedence");
            return secret;
        }
        if (settings.isSet(Keys.CLIENT_SECRET)) {
            settings.fault(Keys.CLIENT_SECRET_FILE, "must not be set together with " + Keys.CLIENT_SECRET.name());
            return null;
        }
        try {
            Path file = settings.file().resolveSibling(name);
            if (Files.isRegularFile(file) && Files.size(file) <= LONGEST_SECRET) {
                String held = Files.readString(file, StandardCharsets.UTF_8).strip();
                if (!held.isEmpty()) {
                    return held;
                }
            }
        } catch (IOException | InvalidPathException e) {
            // the fault below states what is allowed, without the content of the file
        }
        settings.fault(
                Keys.CLIENT_SECRET_FILE,
                "found \"" + name + "\", must be a readable file that contains only the secret");
        return null;
    }

    private static void requireCredentials(Settings settings, AzureIdentitySettings identity) {
        if (identity.useWorkloadIdentity()) {
            requireServicePrincipal(
                    settings,
                    settings.isFromEnvironment(Keys.FEDERATED_TOKEN_FILE)
                            ? Keys.FEDERATED_TOKEN_FILE
                            : Keys.USE_WORKLOAD_IDENTITY);
            settings.require(Keys.FEDERATED_TOKEN_FILE, Keys.USE_WORKLOAD_IDENTITY.name() + " needs it");
        } else if (!identity.useManagedIdentity()) {
            if (identity.clientSecret() != null) {
                requireServicePrincipal(
                        settings, settings.isSet(Keys.CLIENT_SECRET) ? Keys.CLIENT_SECRET : Keys.CLIENT_SECRET_FILE);
            } else if (identity.clientCertPath() != null) {
                requireServicePrincipal(settings, Keys.CLIENT_CERT_PATH);
            }
        }
    }

    private static void requireServicePrincipal(Settings settings, Key<?> because) {
        String why = settings.setterOf(because) + " needs it";
        settings.require(Keys.CLIENT_ID, why);
        if (settings.find(Keys.NETWORK_RESOURCE_TENANT_ID) == null) {
            settings.require(Keys.TENANT_ID, why);
        }
    }
}
