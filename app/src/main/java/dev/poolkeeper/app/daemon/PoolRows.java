package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.status.PoolStatus;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.core.guard.ForbiddenLoadBalancers.LeftAlone;
import dev.poolkeeper.core.keeper.KeeperStatus;
import dev.poolkeeper.core.known.KnownPool;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The keeper's pools as rows of the status page, each with the reason for which it is not written. */
final class PoolRows {

    private final KeeperStatus keeper;
    private final GateStatus gates;
    private final Map<ArmName, LeftAlone> leftAlone;

    PoolRows(KeeperStatus keeper, GateStatus gates) {
        this.keeper = keeper;
        this.gates = gates;
        this.leftAlone = keeper.forbidden().stream()
                .collect(Collectors.toMap(LeftAlone::loadBalancer, one -> one, (one, other) -> one));
    }

    List<PoolStatus> rows() {
        return keeper.pools().stream().map(this::row).toList();
    }

    private PoolStatus row(KeeperStatus.PoolStatus pool) {
        Optional<KnownPool> known = pool.known();
        return new PoolStatus(
                pool.pool(),
                pool.services(),
                pool.adopted() ? pool.wanted() : null,
                known.map(it -> new PoolStatus.Reading(it.addresses(), it.at())).orElse(null),
                pool.attempts(),
                parked(pool),
                held(pool),
                known.map(KnownPool::lastCall).map(PoolRows::outcome).orElse(null));
    }

    private PoolStatus.@Nullable Parked parked(KeeperStatus.PoolStatus pool) {
        if (!pool.waiting()) {
            return null;
        }
        @Nullable Instant until = pool.parkedUntil().orElse(null);
        String failure = pool.known()
                .map(KnownPool::lastCall)
                .flatMap(KnownPool.LastCall::failure)
                .map(Failure::describe)
                .orElse("");
        String reason = pool.attempts() > 0 || until != null
                ? failure.isEmpty() ? "it was put off" : failure
                : "the next tick takes it";
        Instant busy = gates.busyUntil().get(pool.pool().loadBalancer());
        return new PoolStatus.Parked(
                until == null ? busy : until,
                busy == null ? reason : reason + "; the load balancer is busy with another operation");
    }

    private @Nullable String held(KeeperStatus.PoolStatus pool) {
        PoolKey key = pool.pool();
        if (keeper.paused()) {
            return "all writes are paused by the configuration";
        }
        for (ServiceName service : pool.services()) {
            if (keeper.pausedServices().contains(service)) {
                return "Service " + service + " is paused by its annotation";
            }
        }
        LeftAlone refusal = leftAlone.get(key.loadBalancer());
        if (refusal != null) {
            return "the load balancer is left alone until " + refusal.until() + ": " + refusal.reason();
        }
        Instant fight = keeper.fights().get(key);
        if (fight != null) {
            return "somebody else keeps changing it back; it is not written before " + fight;
        }
        if (keeper.braked().isPresent() && pool.waiting() && !pool.surplus().isEmpty()) {
            return "the safety brake holds removals back, see "
                    + keeper.braked().get().id();
        }
        return null;
    }

    private static PoolStatus.Outcome outcome(KnownPool.LastCall call) {
        String what = call.write() ? "write" : "read";
        return new PoolStatus.Outcome(
                call.at(),
                call.failure().isPresent() ? what + " failed" : call.write() ? "written" : "read",
                call.failure().isPresent(),
                call.failure().map(Failure::describe).orElse(null));
    }
}
