package dev.poolkeeper.core.keeper;

import dev.poolkeeper.core.endpoints.EndpointIndex;
import dev.poolkeeper.core.endpoints.Survey;
import dev.poolkeeper.core.endpoints.Survey.Want;
import dev.poolkeeper.core.known.KnownPool;
import dev.poolkeeper.core.known.KnownPools;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Compares pools, as they were just listed, with what is wanted in them, and queues what differs: what exhausted its
 * retries, was changed by hand, or was missed by a replica that did not lead. Pools that agree, and those for which
 * something waits already, are not touched.
 */
final class Comparison {

    private final EndpointIndex index;
    private final OperationQueue queue;
    private final KnownPools known;

    Comparison(EndpointIndex index, OperationQueue queue, KnownPools known) {
        this.index = index;
        this.queue = queue;
        this.known = known;
    }

    /**
     * @param services whose pools are compared
     * @return how many pools were queued
     */
    int queueWhatDiffers(Survey survey, Predicate<ServiceName> services) {
        int queued = 0;
        for (Map.Entry<PoolKey, List<Want>> entry : survey.wantsByPool().entrySet()) {
            List<Want> wants = entry.getValue();
            if (wants.stream().anyMatch(want -> services.test(want.service())) && differs(entry.getKey(), wants)) {
                wants.forEach(want -> index.tellAgain(want.service(), want.pool()));
                queued++;
            }
        }
        return queued;
    }

    private boolean differs(PoolKey pool, List<Want> wants) {
        Optional<KnownPool> held = known.find(pool);
        return wants.stream().anyMatch(Want::adopted)
                && held.isPresent()
                && !held.get().addresses().equals(Survey.union(wants))
                && queue.waitingFor(pool).isEmpty();
    }
}
