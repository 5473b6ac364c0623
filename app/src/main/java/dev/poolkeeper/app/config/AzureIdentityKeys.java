package dev.poolkeeper.app.config;

import dev.poolkeeper.azure.AzureIdentitySettings;
import dev.poolkeeper.fake.input.JsonObject;

/** The keys about who we are to Azure. */
final class AzureIdentityKeys {

    private AzureIdentityKeys() {}

    /** @param isMeant whether what the chosen way needs must be there */
    static AzureIdentitySettings read(JsonObject keys, EffectiveValues values, boolean isMeant) {
        String tenant = values.name(Keys.TENANT_ID, null);
        AzureIdentitySettings identity = new AzureIdentitySettings(
                tenant,
                values.name(Keys.NETWORK_RESOURCE_TENANT_ID, tenant),
                values.text(Keys.CLIENT_ID),
                values.secret(Keys.CLIENT_SECRET),
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

    private static void requireWhatIsNeeded(JsonObject keys, EffectiveValues values, AzureIdentitySettings identity) {
        if (identity.useWorkloadIdentity()) {
            requireServicePrincipal(keys, values, Keys.USE_WORKLOAD_IDENTITY);
            require(keys, values, Keys.FEDERATED_TOKEN_FILE, Keys.USE_WORKLOAD_IDENTITY);
        } else if (!identity.useManagedIdentity()) {
            if (identity.clientSecret() != null) {
                requireServicePrincipal(keys, values, Keys.CLIENT_SECRET);
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
