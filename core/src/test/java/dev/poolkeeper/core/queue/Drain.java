package dev.poolkeeper.core.queue;

import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.ports.ArmName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Drains all eligible groups of a queue in one step. */
public final class Drain {

    private Drain() {}

    public static List<OperationGroup> due(OperationQueue queue, @Nullable ArmName loadBalancer, Instant now) {
        List<OperationGroup> groups = new ArrayList<>();
        synchronized (queue) { // whose own lock is its monitor
            for (OperationGroup due : queue.due(loadBalancer, now)) {
                groups.add(queue.take(due.pool()).orElseThrow());
                queue.finish(due.pool());
            }
        }
        return groups;
    }
}
