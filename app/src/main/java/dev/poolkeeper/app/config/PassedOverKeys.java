package dev.poolkeeper.app.config;

import java.util.List;

/** Keys of the Azure cloud provider that may stand in the same file and mean nothing here. */
final class PassedOverKeys {

    static final List<String> ALL = List.of(
            "availabilitySetNodesCacheTTLInSeconds",
            "cloudProviderBackoffDuration",
            "cloudProviderBackoffExponent",
            "cloudProviderBackoffJitter",
            "disableAvailabilitySetNodes",
            "disableOutboundSNAT",
            "enableMultipleStandardLoadBalancers",
            "excludeMasterFromStandardLB",
            "loadBalancerBackendPoolConfigurationType",
            "loadBalancerName",
            "loadBalancerSku",
            "location",
            "maximumLoadBalancerRuleCount",
            "nodePoolsWithoutDedicatedSNAT",
            "nsgCacheTTLInSeconds",
            "preConfiguredBackendPoolLoadBalancerTypes",
            "primaryAvailabilitySetName",
            "primaryScaleSetName",
            "putVMSSVMBatchSize",
            "routeTableCacheTTLInSeconds",
            "routeTableName",
            "routeTableResourceGroup",
            "securityGroupName",
            "securityGroupResourceGroup",
            "subnetName",
            "systemTags",
            "tags",
            "tagsMap",
            "useInstanceMetadata",
            "vmCacheTTLInSeconds",
            "vmType",
            "vmssCacheTTLInSeconds");

    private PassedOverKeys() {}
}
