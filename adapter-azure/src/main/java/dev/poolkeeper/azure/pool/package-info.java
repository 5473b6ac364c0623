/**
 * Backend pools as ARM shows and takes them: {@link dev.poolkeeper.azure.pool.LoadBalancerPools} reads, lists and
 * writes them; {@code WriteOperation} follows a write to its end, {@code PoolBody} loses nothing that was read.
 */
@NullMarked
package dev.poolkeeper.azure.pool;

import org.jspecify.annotations.NullMarked;
