package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.time.Chance;
import java.util.List;

/** Listings with their planted bugs; transparent without any. */
final class FlawedDirectory implements PoolDirectory {

    private final PoolDirectory directory;
    private final DaemonFlaws flaws;
    private final Knowledge knowledge;
    private final Chance chance;

    FlawedDirectory(PoolDirectory directory, DaemonFlaws flaws, Knowledge knowledge, Chance chance) {
        this.directory = directory;
        this.flaws = flaws;
        this.knowledge = knowledge;
        this.chance = chance;
    }

    @Override
    public Reply<List<BackendPool>> list() {
        Reply<List<BackendPool>> reply = directory.list();
        boolean flawed = flaws.has(Flaw.MISREADS) || flaws.has(Flaw.ADOPTS_NOTHING);
        return flawed && reply instanceof Reply.Ok<List<BackendPool>>(List<BackendPool> pools)
                ? Reply.ok(pools.stream().map(this::flawed).toList())
                : reply;
    }

    private BackendPool flawed(BackendPool pool) {
        AddressSet all = pool.addresses();
        AddressSet shown = flaws.has(Flaw.ADOPTS_NOTHING)
                ? knowledge.wantedIn(pool.key())
                : chance.happens(0.1)
                        ? all.minus(AddressSet.of(all.stream().limit(1).toList()))
                        : all;
        return new BackendPool(pool.key(), shown, pool.etag(), pool.source());
    }
}
