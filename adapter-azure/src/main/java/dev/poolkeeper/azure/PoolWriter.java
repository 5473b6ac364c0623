package dev.poolkeeper.azure;

import com.azure.core.management.SubResource;
import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import com.azure.resourcemanager.network.models.LoadBalancerBackendAddress;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes the body of a PUT: the pool as it was read with other entries. Entries whose address stays keep everything,
 * duplicates included; new ones are named after their node.
 */
final class PoolWriter {

    private final Function<IpAddress, Optional<String>> nodeNames;
    private final Optional<String> vnetId;

    /**
     * @param nodeNames the node that has an address, if it is known
     * @param vnetId the virtual network of pools that have none
     */
    PoolWriter(Function<IpAddress, Optional<String>> nodeNames, Optional<String> vnetId) {
        this.nodeNames = nodeNames;
        this.vnetId = vnetId;
    }

    BackendAddressPoolInner body(BackendAddressPoolInner read, AddressSet wanted) {
        BackendAddressPoolInner body = copy(read);
        List<LoadBalancerBackendAddress> entries = new ArrayList<>();
        List<IpAddress> kept = new ArrayList<>();
        EntryNames names = new EntryNames();
        for (LoadBalancerBackendAddress entry : entriesOf(body)) {
            IpAddress address = IpAddress.of(entry.ipAddress());
            if (wanted.contains(address)) {
                entries.add(entry);
                kept.add(address);
                names.taken(entry.name());
            }
        }
        for (int i = 0; i < entries.size(); i++) {
            String name = entries.get(i).name();
            if (name == null
                    || name.isBlank()) { // other writers leave entries without a name, which others stumble over
                entries.get(i).withName(name(names, kept.get(i)));
            }
        }
        for (IpAddress address : wanted.minus(AddressSet.of(kept))) {
            entries.add(new LoadBalancerBackendAddress()
                    .withName(name(names, address))
                    .withIpAddress(address.toString()));
        }
        if (body.virtualNetwork() == null && vnetId.isPresent()) {
            body.withVirtualNetwork(new SubResource().withId(vnetId.get()));
        }
        return body.withLoadBalancerBackendAddresses(entries);
    }

    private String name(EntryNames names, IpAddress address) {
        return names.unique(nodeNames.apply(address), address);
    }

    private static List<LoadBalancerBackendAddress> entriesOf(BackendAddressPoolInner pool) {
        return pool.loadBalancerBackendAddresses() == null ? List.of() : pool.loadBalancerBackendAddresses();
    }

    /** By way of JSON: whatever the SDK writes, in this version or a later one, is copied. */
    private static BackendAddressPoolInner copy(BackendAddressPoolInner pool) {
        try (JsonReader reader = JsonProviders.createReader(Json.text(pool))) {
            return BackendAddressPoolInner.fromJson(reader);
        } catch (IOException e) {
            throw new IllegalStateException("the SDK does not read what it wrote", e);
        }
    }
}
