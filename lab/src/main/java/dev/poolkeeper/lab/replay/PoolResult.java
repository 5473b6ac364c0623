package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.endpoints.WantedPool;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.PoolKey;
import java.util.List;

/**
 * What became of a local Services' pool.
 *
 * @param key the pool in the inventory's spelling
 * @param services whose pool it is, sorted
 * @param desired what it should hold, sorted as strings
 * @param actual what it holds, sorted as strings
 * @param converged whether the two are the same addresses
 */
record PoolResult(PoolKey key, List<String> services, List<String> desired, List<String> actual, boolean converged) {

    static PoolResult of(WantedPool wanted, FakeCloud cloud) {
        return new PoolResult(
                wanted.pool(),
                wanted.services().stream().map(Object::toString).sorted().toList(),
                wanted.wanted().stream().map(Object::toString).sorted().toList(),
                cloud.spelledAddresses(wanted.pool()).stream().sorted().toList(),
                cloud.addresses(wanted.pool()).map(wanted.wanted()::equals).orElse(false));
    }
}
