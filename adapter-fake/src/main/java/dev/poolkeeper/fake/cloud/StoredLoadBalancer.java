package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.ArmName;

/**
 * A load balancer stored in the cloud, without its pools. Immutable; its JSON must not be modified.
 *
 * @param name its name, in the inventory's spelling
 * @param etag its version, which changes with each write to it or to one of its pools
 * @param json its JSON from ARM, in which pools and versions are out of date
 */
public record StoredLoadBalancer(ArmName name, String etag, ObjectNode json) {

    StoredLoadBalancer withEtag(String newEtag) {
        return new StoredLoadBalancer(name, newEtag, json);
    }
}
