package dev.poolkeeper.app.config;

import dev.poolkeeper.azure.AzureIdentitySettings;
import dev.poolkeeper.input.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The keys about who we are to Azure. */
final class AzureIdentityKeys {

    private AzureIdentityKeys() {}

    private static final long LONGEST_SECRET = 4_096;

    /**
     * @param configuration the configuration file, beside which the secret's file is looked for
     * @param isMeant whether what the chosen way needs must be there
     */
    static AzureIdentitySettings read(JsonObject keys, EffectiveValues values, Path configuration, boolean isMeant) {
        String tenant = values.name(Keys.TENANT_ID, null);
        AzureIdentitySettings identity = new AzureIdentitySettings(
                tenant,
                values.name(Keys.NETWORK_RESOURCE_TENANT_ID, tenant),
                values.text(Keys.CLIENT_ID),
                secret(keys, values, configuration),
                values.text(Keys.CLIENT_CERT_PATH),
                values.secret(Keys.CLIENT_CERT_PASSWORD),
                values.truth(Keys.USE_MANAGED_IDENTITY),
                values.text(Keys.USER_ASSIGNED_IDENTITY_ID),
                values.truth(Keys.USE_WORKLOAD_IDENTITY),
                values.text(Keys.FEDERATED_TOKEN_FILE));
        if (isMeant) {
            requireWhatIsNeeded(keys, values, identity);
        }
        return identity;
    }

    /** The secret itself, or what its file holds without the line end. */
    private static @Nullable String secret(JsonObject keys, EffectiveValues values, Path configuration) {
        String secret = values.secret(Keys.CLIENT_SECRET);
        String name = values.text(Keys.CLIENT_SECRET_FILE);
        if (name == null) {
            return secret;
        }
        if (!values.isAbsent(Keys.CLIENT_SECRET)) {
            keys.fault(Keys.CLIENT_SECRET_FILE, "must not be set together with " + Keys.CLIENT_SECRET);
            return null;
        }
        try {
            Path file = configuration.resolveSibling(name);
            if (Files.isRegularFile(file) && Files.size(file) <= LONGEST_SECRET) {
                String held = Files.readString(file, StandardCharsets.UTF_8).strip();
                if (!held.isEmpty()) {
                    return held;
                }
            }
        } catch (IOException | InvalidPathException e) {
            // said below, without what the file holds
        }
        keys.fault(
                Keys.CLIENT_SECRET_FILE,
                "found \"" + name + "\", must be a file that can be read and holds the secret alone");
        return null;
    }

    private static void requireWhatIsNeeded(JsonObject keys, EffectiveValues values, AzureIdentitySettings identity) {
        if (identity.useWorkloadIdentity()) {
            requireServicePrincipal(keys, values, Keys.USE_WORKLOAD_IDENTITY);
            require(keys, values, Keys.FEDERATED_TOKEN_FILE, Keys.USE_WORKLOAD_IDENTITY);
        } else if (!identity.useManagedIdentity()) {
            if (identity.clientSecret() != null) {
                requireServicePrincipal(
                        keys,
                        values,
                        values.isAbsent(Keys.CLIENT_SECRET) ? Keys.CLIENT_SECRET_FILE : Keys.CLIENT_SECRET);
            } else if (identity.clientCertPath() != null) {
                requireServicePrincipal(keys, values, Keys.CLIENT_CERT_PATH);
            }
        }
    }

    private static void requireServicePrincipal(JsonObject keys, EffectiveValues values, String because) {
        require(keys, values, Keys.CLIENT_ID, because);
        if (values.isAbsent(Keys.NETWORK_RESOURCE_TENANT_ID)) {
            require(keys, values, Keys.TENANT_ID, because);
        }
    }

    private static void require(JsonObject keys, EffectiveValues values, String key, String because) {
        if (values.isAbsent(key)) {
            keys.fault(key, "is missing, " + because + " needs it");
        }
    }
}
