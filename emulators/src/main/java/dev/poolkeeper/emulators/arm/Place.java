package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.fake.cloud.StoredLoadBalancer;
import java.util.Optional;

/**
 * The location of a load balancer.
 *
 * @param subscription the subscription's id
 * @param resourceGroup the resource group's name
 */
record Place(String subscription, String resourceGroup) {

    /** The location in its id; empty if the id is incomplete. */
    static Optional<Place> of(StoredLoadBalancer loadBalancer) {
        String id = loadBalancer.json().path("id").asText("");
        return ArmPath.parse(id) instanceof ArmPath.LoadBalancer path
                ? Optional.of(new Place(path.subscription(), path.resourceGroup()))
                : Optional.empty();
    }

    boolean isIn(String otherSubscription) {
        return subscription.equalsIgnoreCase(otherSubscription);
    }

    boolean is(String otherSubscription, String otherResourceGroup) {
        return isIn(otherSubscription) && resourceGroup.equalsIgnoreCase(otherResourceGroup);
    }

    /** The id of a load balancer here. */
    String idOf(String loadBalancer) {
        return "/subscriptions/" + subscription + "/resourceGroups/" + resourceGroup
                + "/providers/Microsoft.Network/loadBalancers/" + loadBalancer;
    }
}
