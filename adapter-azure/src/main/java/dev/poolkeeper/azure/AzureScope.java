package dev.poolkeeper.azure;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which load balancers and which virtual network are meant, under the cloud provider's keys.
 *
 * @param subscriptionId {@code subscriptionId}
 * @param resourceGroup {@code resourceGroup}
 * @param loadBalancerResourceGroup {@code loadBalancerResourceGroup}; null: {@code resourceGroup}
 * @param networkResourceSubscriptionId {@code networkResourceSubscriptionID}, the subscription of load balancers and
 *     virtual network; null: {@code subscriptionId}
 * @param vnetName {@code vnetName}; null: pools without a virtual network get none
 * @param vnetResourceGroup {@code vnetResourceGroup}; null: {@code resourceGroup}
 */
public record AzureScope(
        String subscriptionId,
        String resourceGroup,
        @Nullable String loadBalancerResourceGroup,
        @Nullable String networkResourceSubscriptionId,
        @Nullable String vnetName,
        @Nullable String vnetResourceGroup) {

    /** @throws IllegalArgumentException if a name is blank or could not stand in a resource's path */
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

    /** The same with the virtual network that pools without one get. */
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
