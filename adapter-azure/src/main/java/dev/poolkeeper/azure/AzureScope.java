package dev.poolkeeper.azure;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The location of the load balancers and the virtual network, named after the cloud provider's keys.
 *
 * @param subscriptionId {@code subscriptionId}
 * @param resourceGroup {@code resourceGroup}
 * @param loadBalancerResourceGroup {@code loadBalancerResourceGroup}; null for {@code resourceGroup}
 * @param networkResourceSubscriptionId {@code networkResourceSubscriptionID}, the subscription of load balancers and
 *     virtual network; null for {@code subscriptionId}
 * @param vnetName {@code vnetName}; null to leave pools without a virtual network as they are
 * @param vnetResourceGroup {@code vnetResourceGroup}; null for {@code resourceGroup}
 */
public record AzureScope(
        String subscriptionId,
        String resourceGroup,
        @Nullable String loadBalancerResourceGroup,
        @Nullable String networkResourceSubscriptionId,
        @Nullable String vnetName,
        @Nullable String vnetResourceGroup) {

    /** @throws IllegalArgumentException if a name is blank or not valid in a resource path */
    public AzureScope {
        requireName("subscriptionId", subscriptionId);
        requireName("resourceGroup", resourceGroup);
        requireName("loadBalancerResourceGroup", loadBalancerResourceGroup);
        requireName("networkResourceSubscriptionID", networkResourceSubscriptionId);
        requireName("vnetName", vnetName);
        requireName("vnetResourceGroup", vnetResourceGroup);
    }

    /** Load balancers in this resource group; no virtual network. */
    public static AzureScope of(String subscriptionId, String resourceGroup) {
        return new AzureScope(subscriptionId, resourceGroup, null, null, null, null);
    }

    /** The same scope with the virtual network to set on pools without one. */
    public AzureScope withVnet(String name) {
        return new AzureScope(
                subscriptionId,
                resourceGroup,
                loadBalancerResourceGroup,
                networkResourceSubscriptionId,
                name,
                vnetResourceGroup);
    }

    String loadBalancerSubscription() {
        return networkResourceSubscriptionId == null ? subscriptionId : networkResourceSubscriptionId;
    }

    String loadBalancerGroup() {
        return loadBalancerResourceGroup == null ? resourceGroup : loadBalancerResourceGroup;
    }

    String loadBalancerGroupId() {
        return "/subscriptions/%s/resourceGroups/%s".formatted(loadBalancerSubscription(), loadBalancerGroup());
    }

    Optional<String> vnetId() {
        return Optional.ofNullable(vnetName)
                .map(name -> "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/virtualNetworks/%s"
                        .formatted(
                                loadBalancerSubscription(),
                                vnetResourceGroup == null ? resourceGroup : vnetResourceGroup,
                                name));
    }

    private static void requireName(String key, @Nullable String value) {
        if (value != null && (value.isBlank() || value.indexOf('/') >= 0)) {
            throw new IllegalArgumentException(
                    "%s is \"%s\", must be a name without slashes, not blank".formatted(key, value));
        }
    }
}
