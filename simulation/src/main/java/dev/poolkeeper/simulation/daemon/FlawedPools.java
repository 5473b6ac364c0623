package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.time.Chance;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;

/** The pools with their planted bugs; transparent without any. */
final class FlawedPools implements BackendPools {

    private final BackendPools pools;
    private final DaemonFlaws flaws;
    private final Executor threads;
    private final Chance chance;
    private final Map<PoolKey, AddressSet> before = new HashMap<>();

    FlawedPools(BackendPools pools, DaemonFlaws flaws, Executor threads, Chance chance) {
        this.pools = pools;
        this.flaws = flaws;
        this.threads = threads;
        this.chance = chance;
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool, CallContext context) {
        Reply<BackendPool> reply = pools.read(pool, context);
        if (flaws.has(Flaw.MISREADS) && reply instanceof Reply.Ok<BackendPool>(BackendPool read)) {
            AddressSet all = read.addresses();
            if (!all.isEmpty() && chance.happens(0.3)) {
                AddressSet less = all.minus(AddressSet.of(all.stream().limit(1).toList()));
                return Reply.ok(new BackendPool(read.key(), less, read.etag(), read.source()));
            }
        }
        return reply;
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        AddressSet wanted = addresses;
        if (flaws.has(Flaw.REVIVES_OLD_STATE)) {
            AddressSet old = before.put(read.key(), addresses);
            wanted = old != null && chance.happens(0.5) ? old : addresses;
        }
        if (flaws.has(Flaw.ANSWERS_EARLY)) {
            AddressSet sent = wanted;
            threads.execute(() -> pools.write(read, sent, context));
            return Reply.ok(new BackendPool(read.key(), wanted, null, read.source()));
        }
        if (flaws.has(Flaw.HOLDS_ADDITIONS) && !read.addresses().minus(wanted).isEmpty()) {
            wanted = wanted.intersect(read.addresses());
        }
        Reply<BackendPool> reply = pools.write(read, wanted, context);
        if (flaws.has(Flaw.HIDES_FAILURES) && reply instanceof Reply.Failed<BackendPool>(Failure.Other unknown)) {
            return Reply.failed(new Failure.NotFound(ArmError.ofStatus(404)));
        }
        return flaws.has(Flaw.BELIEVES_IN_WRITES)
                ? Reply.ok(new BackendPool(read.key(), wanted, null, read.source()))
                : reply;
    }
}
