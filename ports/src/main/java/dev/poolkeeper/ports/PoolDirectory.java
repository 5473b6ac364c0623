package dev.poolkeeper.ports;

import java.util.List;

/** Tells which load balancer holds which pool. Implementations are thread-safe and may block. */
public interface PoolDirectory {

    /** Every pool of every load balancer that counts, whole; or why not. A listing that broke off is a failure. */
    Reply<List<BackendPool>> list();
}
