/**
 * What the updater costs and how that grows. The classes named by a letter repeat the measurements that were made of
 * the Go updater (cloud-provider-azure), on the same inputs; {@link dev.poolkeeper.benchmarks.Peer} holds those.
 */
@NullMarked
package dev.poolkeeper.benchmarks;

import org.jspecify.annotations.NullMarked;
