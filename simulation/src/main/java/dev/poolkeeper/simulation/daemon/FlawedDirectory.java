package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.time.Chance;
import java.util.List;

/** Reports listings, and adds their planted bugs. */
final class FlawedDirectory implements PoolDirectory {

    private final SimulatedDaemon daemon;
    private final PoolDirectory directory;
    private final DaemonFlaws flaws;
    private final Chance chance;

    FlawedDirectory(SimulatedDaemon daemon, PoolDirectory directory, DaemonFlaws flaws, Chance chance) {
        this.daemon = daemon;
        this.directory = directory;
        this.flaws = flaws;
        this.chance = chance;
    }

    @Override
    public Reply<List<BackendPool>> list() {
        daemon.observed(new Observation.ListingBegan(daemon));
        Reply<List<BackendPool>> reply = directory.list();
        daemon.observed(new Observation.ListingEnded(daemon, reply instanceof Reply.Ok<List<BackendPool>>));
        boolean flawed = flaws.has(Flaw.MISREADS) || flaws.has(Flaw.ADOPTS_NOTHING);
        return flawed && reply instanceof Reply.Ok<List<BackendPool>>(List<BackendPool> pools)
                ? Reply.ok(pools.stream().map(this::flawed).toList())
                : reply;
    }

    private BackendPool flawed(BackendPool pool) {
        AddressSet all = pool.addresses();
        AddressSet shown = flaws.has(Flaw.ADOPTS_NOTHING)
                ? daemon.knowledge().wantedIn(pool.key())
                : chance.happens(0.1)
                        ? all.minus(AddressSet.of(all.stream().limit(1).toList()))
                        : all;
        return new BackendPool(pool.key(), shown, pool.etag(), pool.source());
    }
}
