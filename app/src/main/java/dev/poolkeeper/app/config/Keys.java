package dev.poolkeeper.app.config;

import java.util.List;

/** The keys of the configuration file. Upper and lower case do not matter, as they do not to the cloud provider. */
public final class Keys {

    public static final String UPDATE_INTERVAL = "loadBalancerBackendPoolUpdateIntervalInSeconds";
    public static final String MAX_RETRIES = "loadBalancerBackendPoolUpdateMaxRetries";
    public static final String UPDATE_MODEL = "updateModel";

    public static final String RETRY = "retry";
    public static final String TIMEOUTS = "timeouts";
    public static final String RETRY_CONSTRAINT = "retryConstraint";
    public static final String RETRY_POLICY_FILES = "retryPolicyFiles";

    /** The keys that mean something here. */
    public static final List<String> USED =
            List.of(UPDATE_INTERVAL, MAX_RETRIES, UPDATE_MODEL, RETRY, TIMEOUTS, RETRY_CONSTRAINT, RETRY_POLICY_FILES);

    /** Keys of the Azure cloud provider that may stand in the same file and mean nothing here. */
    static final List<String> OF_THE_CLOUD_PROVIDER = List.of(
            "aadClientCertPassword",
            "aadClientCertPath",
            "aadClientId",
            "aadClientSecret",
            "aadFederatedTokenFile",
            "availabilitySetNodesCacheTTLInSeconds",
            "cloud",
            "cloudProviderBackoff",
            "cloudProviderBackoffDuration",
            "cloudProviderBackoffExponent",
            "cloudProviderBackoffJitter",
            "cloudProviderBackoffRetries",
            "cloudProviderRateLimit",
            "cloudProviderRateLimitBucket",
            "cloudProviderRateLimitBucketWrite",
            "cloudProviderRateLimitQPS",
            "cloudProviderRateLimitQPSWrite",
            "disableAvailabilitySetNodes",
            "disableOutboundSNAT",
            "enableMultipleStandardLoadBalancers",
            "excludeMasterFromStandardLB",
            "loadBalancerBackendPoolConfigurationType",
            "loadBalancerName",
            "loadBalancerResourceGroup",
            "loadBalancerSku",
            "location",
            "maximumLoadBalancerRuleCount",
            "multipleStandardLoadBalancerConfigurations",
            "networkResourceSubscriptionID",
            "networkResourceTenantID",
            "nodePoolsWithoutDedicatedSNAT",
            "nsgCacheTTLInSeconds",
            "preConfiguredBackendPoolLoadBalancerTypes",
            "primaryAvailabilitySetName",
            "primaryScaleSetName",
            "putVMSSVMBatchSize",
            "resourceGroup",
            "routeTableCacheTTLInSeconds",
            "routeTableName",
            "routeTableResourceGroup",
            "securityGroupName",
            "securityGroupResourceGroup",
            "subnetName",
            "subscriptionId",
            "systemTags",
            "tags",
            "tagsMap",
            "tenantId",
            "useFederatedWorkloadIdentityExtension",
            "useInstanceMetadata",
            "useManagedIdentityExtension",
            "userAssignedIdentityID",
            "vmCacheTTLInSeconds",
            "vmType",
            "vmssCacheTTLInSeconds",
            "vnetName",
            "vnetResourceGroup");

    private Keys() {}
}
