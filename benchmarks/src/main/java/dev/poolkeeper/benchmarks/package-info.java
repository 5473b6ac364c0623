/**
 * Measures the costs of the updater and their growth. The classes named by a letter repeat benchmarks of the Go updater
 * (cloud-provider-azure), with the same inputs, which are in {@link dev.poolkeeper.benchmarks.Peer}.
 */
@NullMarked
package dev.poolkeeper.benchmarks;

import org.jspecify.annotations.NullMarked;
