package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.ArmName;

/**
 * A load balancer as the cloud holds it, without its pools. Immutable, and so must its JSON be treated.
 *
 * @param name its name, in the inventory's spelling
 * @param etag its version; another one after each write to it or to one of its pools
 * @param json all that ARM shows of it; what it says of pools and versions is out of date
 */
public record StoredLoadBalancer(ArmName name, String etag, ObjectNode json) {

    StoredLoadBalancer withEtag(String newEtag) {
        return new StoredLoadBalancer(name, newEtag, json);
    }
}
