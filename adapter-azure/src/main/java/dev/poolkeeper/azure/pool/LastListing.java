package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Completes a listing with the pools that ARM showed before, where it does not show now what became of them: a pool
 * that looks deleted would no longer be updated, and its Pods would not wait for it. Thread-safe.
 *
 * <p>Such pools have the state {@link ProvisioningState#UPDATING}, so that their contents count as uncertain until they
 * are read.
 */
final class LastListing {

    private List<ListedLoadBalancer> last = List.of();
    private final Map<PoolKey, BackendPool> seen = new HashMap<>();

    /** A pool as read or written since it was listed. */
    synchronized BackendPool saw(BackendPool pool) {
        seen.put(pool.key(), pool);
        return pool;
    }

    /** What was listed, and what the unreadable part may be of what was listed before. */
    synchronized List<ListedLoadBalancer> complete(List<ListedLoadBalancer> listed, Collection<Unreadable> unreadable) {
        List<ListedLoadBalancer> complete = new ArrayList<>(listed);
        complete.addAll(kept(listed, unreadable));
        last = List.copyOf(complete);
        Set<PoolKey> kept = keys(complete);
        kept.removeAll(keys(listed));
        seen.keySet().retainAll(kept);
        return last;
    }

    private List<ListedLoadBalancer> kept(List<ListedLoadBalancer> listed, Collection<Unreadable> unreadable) {
        if (unreadable.isEmpty()) {
            return List.of();
        }
        Set<ArmName> names = listed.stream().map(ListedLoadBalancer::name).collect(Collectors.toSet());
        Set<PoolKey> pools = keys(listed);
        List<ListedLoadBalancer> kept = new ArrayList<>();
        for (ListedLoadBalancer before : last) {
            if (names.contains(before.name())) {
                List<BackendPool> some = before.pools().stream()
                        .filter(pool -> !pools.contains(pool.key())
                                && unreadable.stream().anyMatch(it -> it.mayBe(pool.key())))
                        .map(this::uncertain)
                        .toList();
                if (!some.isEmpty()) {
                    kept.add(before.with(some));
                }
            } else if (unreadable.stream().anyMatch(it -> it.mayBe(before.name()))) {
                kept.add(
                        before.with(before.pools().stream().map(this::uncertain).toList()));
            }
        }
        return kept;
    }

    private BackendPool uncertain(BackendPool listed) {
        BackendPool pool = seen.getOrDefault(listed.key(), listed);
        return new BackendPool(
                listed.key(), pool.addresses(), pool.etag(), null, ProvisioningState.UPDATING, pool.unwritable());
    }

    private static Set<PoolKey> keys(List<ListedLoadBalancer> loadBalancers) {
        return loadBalancers.stream()
                .flatMap(loadBalancer -> loadBalancer.pools().stream())
                .map(BackendPool::key)
                .collect(Collectors.toSet());
    }
}
