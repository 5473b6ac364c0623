package dev.poolkeeper.azure.identity;

import org.jspecify.annotations.Nullable;

/**
 * The Azure identity, named after the cloud provider's keys. {@code toString} shows no secret.
 *
 * @param tenantId {@code tenantId}
 * @param networkResourceTenantId {@code networkResourceTenantID}, the tenant of load balancers if it differs
 * @param clientId {@code aadClientId}
 * @param clientSecret {@code aadClientSecret}
 * @param clientCertPath {@code aadClientCertPath}, a PEM or PKCS#12 file
 * @param clientCertPassword {@code aadClientCertPassword}
 * @param useManagedIdentity {@code useManagedIdentityExtension}
 * @param userAssignedIdentityId {@code userAssignedIdentityID}, a client id or a resource id; null for the
 *     system-assigned identity
 * @param useWorkloadIdentity {@code useFederatedWorkloadIdentityExtension}
 * @param federatedTokenFile {@code aadFederatedTokenFile}
 */
public record AzureIdentitySettings(
        @Nullable String tenantId,
        @Nullable String networkResourceTenantId,
        @Nullable String clientId,
        @Nullable String clientSecret,
        @Nullable String clientCertPath,
        @Nullable String clientCertPassword,
        boolean useManagedIdentity,
        @Nullable String userAssignedIdentityId,
        boolean useWorkloadIdentity,
        @Nullable String federatedTokenFile) {

    /** No settings: the SDK's default chain. */
    public static final AzureIdentitySettings NONE =
            new AzureIdentitySettings(null, null, null, null, null, null, false, null, false, null);

    /** A service principal with a secret. */
    public static AzureIdentitySettings ofSecret(String tenantId, String clientId, String secret) {
        return new AzureIdentitySettings(tenantId, null, clientId, secret, null, null, false, null, false, null);
    }

    /** The tenant of the load balancers. */
    @Nullable
    String loadBalancerTenant() {
        return networkResourceTenantId == null ? tenantId : networkResourceTenantId;
    }

    @Override
    public String toString() {
        return "AzureIdentitySettings[tenantId=%s, networkResourceTenantId=%s, clientId=%s, clientSecret=%s, clientCertPath=%s, clientCertPassword=%s, useManagedIdentity=%s, userAssignedIdentityId=%s, useWorkloadIdentity=%s, federatedTokenFile=%s]"
                .formatted(
                        tenantId,
                        networkResourceTenantId,
                        clientId,
                        hidden(clientSecret),
                        clientCertPath,
                        hidden(clientCertPassword),
                        useManagedIdentity,
                        userAssignedIdentityId,
                        useWorkloadIdentity,
                        federatedTokenFile);
    }

    private static @Nullable String hidden(@Nullable String secret) {
        return secret == null ? null : "…";
    }
}
