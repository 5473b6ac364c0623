package dev.poolkeeper.core.keeper;

import dev.poolkeeper.core.tick.Lanes;
import dev.poolkeeper.core.tick.UpdaterPorts;
import dev.poolkeeper.ports.PoolDirectory;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What the keeper speaks to.
 *
 * @param directory lists the load balancers of this cluster
 * @param updater pools, resource lock, events, metrics, budget, and what else may hold updates back
 * @param lanes how load balancers are served; asked once a term as leader. The locks of one term's lanes are those of
 *     the next one's
 * @param hasSynced whether all of the cluster was told of; nothing is listed before that
 * @param isLeader whether this process may write, asked anew before each read and write; thread-safe, never blocks
 */
public record KeeperPorts(
        PoolDirectory directory,
        UpdaterPorts updater,
        Supplier<Lanes> lanes,
        BooleanSupplier hasSynced,
        BooleanSupplier isLeader) {}
