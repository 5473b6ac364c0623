package dev.poolkeeper.core.keeper;

import dev.poolkeeper.core.endpoints.Survey;
import dev.poolkeeper.core.endpoints.Survey.Want;
import dev.poolkeeper.core.keeper.KeeperStatus.PoolStatus;
import dev.poolkeeper.core.known.KnownPools;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Puts together what index, queue and memory say of each pool. */
final class PoolStatuses {

    private static final Comparator<PoolStatus> BY_POOL = Comparator.comparing(
                    (PoolStatus status) -> status.pool().loadBalancer())
            .thenComparing(status -> status.pool().pool());

    private final OperationQueue queue;
    private final KnownPools known;

    PoolStatuses(OperationQueue queue, KnownPools known) {
        this.queue = queue;
        this.known = known;
    }

    List<PoolStatus> of(Survey survey) {
        return survey.wantsByPool().entrySet().stream()
                .map(entry -> status(entry.getKey(), entry.getValue()))
                .sorted(BY_POOL)
                .toList();
    }

    private PoolStatus status(PoolKey pool, List<Want> wants) {
        List<PendingOperation> waiting = queue.waitingFor(pool);
        return new PoolStatus(
                pool,
                wants.stream().map(Want::service).sorted().toList(),
                Survey.union(wants),
                wants.stream().allMatch(Want::adopted),
                known.find(pool),
                !waiting.isEmpty(),
                waiting.stream().mapToInt(PendingOperation::retryCount).max().orElse(0),
                waiting.stream()
                        .map(PendingOperation::nextEligibleAt)
                        .filter(Objects::nonNull)
                        .max(Comparator.<Instant>naturalOrder()));
    }
}
