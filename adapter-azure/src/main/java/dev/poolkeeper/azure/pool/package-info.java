/**
 * Backend pools in ARM: {@link dev.poolkeeper.azure.pool.LoadBalancerPools} reads, lists and writes them;
 * {@code WriteOperation} polls a write until it ends, {@code PoolBody} preserves all properties that were read.
 */
@NullMarked
package dev.poolkeeper.azure.pool;

import org.jspecify.annotations.NullMarked;
