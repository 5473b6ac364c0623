package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;

/**
 * The final state of a local Service's pool.
 *
 * @param key the pool in the inventory's spelling
 * @param services its Services, sorted
 * @param desired its desired addresses, sorted as strings
 * @param actual its actual addresses, sorted as strings
 * @param converged whether the two are the same addresses
 */
record PoolResult(PoolKey key, List<String> services, List<String> desired, List<String> actual, boolean converged) {

    static PoolResult of(PoolKey pool, List<ServiceName> services, EndpointIndex index, FakeCloud cloud) {
        AddressSet desired = services.stream()
                .map(service -> index.selected(service, pool))
                .reduce(AddressSet.empty(), AddressSet::union);
        return new PoolResult(
                pool,
                services.stream().map(ServiceName::toString).sorted().toList(),
                desired.stream().map(Object::toString).sorted().toList(),
                cloud.spelledAddresses(pool).stream().sorted().toList(),
                cloud.addresses(pool).map(desired::equals).orElse(false));
    }
}
