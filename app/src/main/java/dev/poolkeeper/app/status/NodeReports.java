package dev.poolkeeper.app.status;

import dev.poolkeeper.core.cluster.NodeReport;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Optional;

/** Looks up the known facts about a node. Thread-safe; makes no calls. */
@FunctionalInterface
public interface NodeReports {

    /** The report on the node for the Service in this pool; empty if the Service is not local with that pool. */
    Optional<NodeReport> of(ServiceName service, PoolKey pool, String node);
}
