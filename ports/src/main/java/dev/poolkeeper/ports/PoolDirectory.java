package dev.poolkeeper.ports;

import java.util.List;

/** Lists the load balancers and their pools. Implementations are thread-safe and may block. */
public interface PoolDirectory {

    /** Returns all pools of all selected load balancers. An incomplete listing is a failure. */
    Reply<List<BackendPool>> list();
}
