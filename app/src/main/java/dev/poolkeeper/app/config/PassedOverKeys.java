package dev.poolkeeper.app.config;

import java.util.List;

/**
 * Keys of the Azure cloud provider that may be in the same file and have no effect here, including those of its
 * clients' rate limits and of the key management plugin, which shares the file.
 *
 * <p>Source: <a
 * href="https://github.com/kubernetes-sigs/cloud-provider-azure/blob/7b31c76ce2ff602cc2dfec988744d8d0534b448c/pkg/provider/config/azure.go">cloud-provider-azure's
 * configuration</a>, plus the keys of earlier releases.
 */
final class PassedOverKeys {

    static final List<String> ALL = List.of(
            "aadMSIDataPlaneIdentityPath",
            "attachDetachDiskRateLimit",
            "auxiliaryTokenProvider",
            "auxiliaryTokenSecretURI",
            "availabilitySetNodesCacheTTLInSeconds",
            "availabilitySetRateLimit",
            "availabilitySetsCacheTTLInSeconds",
            "cloudConfigType",
            "cloudProviderBackoffDuration",
            "cloudProviderBackoffExponent",
            "cloudProviderBackoffJitter",
            "cloudProviderBackoffMode",
            "clusterServiceLoadBalancerHealthProbeMode",
            "clusterServiceSharedLoadBalancerHealthProbePath",
            "clusterServiceSharedLoadBalancerHealthProbePort",
            "containerServiceRateLimit",
            "deploymentRateLimit",
            "disableAPICallCache",
            "disableAvailabilitySetNodes",
            "disableAzureStackCloud",
            "disableOutboundSNAT",
            "diskRateLimit",
            "enableIPTagMutationForExistingPublicIP",
            "enableMigrateToIPBasedBackendPoolAPI",
            "enableMinimumRetryAfter",
            "enableMultipleStandardLoadBalancers",
            "enableVmssFlexNodes",
            "excludeMasterFromStandardLB",
            "extendedLocationName",
            "extendedLocationType",
            "identitySystem",
            "interfaceRateLimit",
            "listVmssVirtualMachinesWithoutInstanceView",
            "loadBalancerBackendPoolConfigurationType",
            "loadBalancerCacheTTLInSeconds",
            "loadBalancerName",
            "loadBalancerRateLimit",
            "loadBalancerSku",
            "location",
            "maximumLoadBalancerRuleCount",
            "nodeInstanceNotFoundGracePeriodInSeconds",
            "nodePoolsWithoutDedicatedSLB",
            "nodePoolsWithoutDedicatedSNAT",
            "nonVmssUniformNodesCacheTTLInSeconds",
            "nsgCacheTTLInSeconds",
            "plsCacheTTLInSeconds",
            "podCidrIPv4",
            "podCidrIPv6",
            "preConfiguredBackendPoolLoadBalancerTypes",
            "primaryAvailabilitySetName",
            "primaryScaleSetName",
            "privateDNSRateLimit",
            "privateDNSZoneGroupRateLimit",
            "privateEndpointRateLimit",
            "privateLinkServiceRateLimit",
            "privateLinkServiceResourceGroup",
            "providerKeyName",
            "providerKeyVersion",
            "providerVaultName",
            "publicIPAddressRateLimit",
            "publicIPCacheTTLInSeconds",
            "putVMSSVMBatchSize",
            "routeRateLimit",
            "routeTableCacheTTLInSeconds",
            "routeTableName",
            "routeTableRateLimit",
            "routeTableResourceGroup",
            "routeUpdateIntervalInSeconds",
            "routeUpdateWaitingInSeconds",
            "securityGroupName",
            "securityGroupRateLimit",
            "securityGroupResourceGroup",
            "serviceGatewayEnabled",
            "snapshotRateLimit",
            "storageAccountRateLimit",
            "subnetName",
            "subnetsRateLimit",
            "systemTags",
            "tags",
            "tagsMap",
            "useInstanceMetadata",
            "userAgent",
            "virtualMachineRateLimit",
            "virtualMachineScaleSetRateLimit",
            "virtualMachineSizesRateLimit",
            "virtualNetworkRateLimit",
            "vmCacheTTLInSeconds",
            "vmssCacheTTLInSeconds",
            "vmssFlexCacheTTLInSeconds",
            "vmssFlexVMCacheTTLInSeconds",
            "vmssVirtualMachinesCacheTTLInSeconds",
            "vmType");

    private PassedOverKeys() {}

    /** Whether the key is one of these, ignoring case. */
    static boolean contains(String key) {
        return ALL.stream().anyMatch(key::equalsIgnoreCase);
    }
}
