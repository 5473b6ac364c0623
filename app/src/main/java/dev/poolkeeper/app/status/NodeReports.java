package dev.poolkeeper.app.status;

import dev.poolkeeper.core.cluster.NodeReport;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.Optional;

/** Says what is known of a node. Thread-safe; makes no call. */
@FunctionalInterface
public interface NodeReports {

    /** What is known of the node for the Service in this pool; empty if the Service is not local with the pool. */
    Optional<NodeReport> of(ServiceName service, PoolKey pool, String node);
}
