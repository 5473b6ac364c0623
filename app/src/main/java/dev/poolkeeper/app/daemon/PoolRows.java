package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.status.PoolStatus;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.known.KnownPool;
import dev.poolkeeper.ports.Failure;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The engine's pools as rows of the status page. */
final class PoolRows {

    private PoolRows() {}

    static List<PoolStatus> of(EngineStatus engine) {
        return engine.pools().stream().map(PoolRows::row).toList();
    }

    private static PoolStatus row(dev.poolkeeper.core.engine.PoolStatus pool) {
        Optional<KnownPool> known = pool.known();
        Optional<Difference> held = pool.difference().filter(it -> it.reason() == Difference.Reason.HELD);
        return new PoolStatus(
                pool.pool(),
                pool.services(),
                pool.adopted() ? pool.wanted() : null,
                known.map(it -> new PoolStatus.Reading(it.addresses(), it.at())).orElse(null),
                pool.attempts(),
                pool.difference()
                        .filter(it -> it.reason() != Difference.Reason.HELD)
                        .map(it -> new PoolStatus.Parked(it.until().orElse(null), it.text()))
                        .orElse(null),
                held.map(Difference::text).orElse(null),
                known.map(KnownPool::lastCall).map(PoolRows::outcome).orElse(null));
    }

    private static PoolStatus.@Nullable Outcome outcome(KnownPool.LastCall call) {
        String what = call.write() ? "write" : "read";
        return new PoolStatus.Outcome(
                call.at(),
                call.failure().isPresent() ? what + " failed" : call.write() ? "written" : "read",
                call.failure().isPresent(),
                call.failure().map(Failure::describe).orElse(null));
    }
}
