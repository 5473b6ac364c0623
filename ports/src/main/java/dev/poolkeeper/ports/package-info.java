/**
 * The language of the house: value types, and the interfaces through which {@code core} speaks with the world.
 *
 * <p>Nothing here does work of its own beyond what a type needs to keep its own promises. Every value is immutable and
 * may be shared between threads. What an interface promises about threads and errors stands on the interface.
 *
 * <ul>
 *   <li>Values: {@link ServiceName}, {@link ArmName}, {@link PoolKey}, {@link IpAddress}, {@link AddressSet},
 *       {@link IpFamily}, {@link BackendPool}; {@link Reply} and {@link Failure}.
 *   <li>Driven, implemented by adapters: {@link BackendPools}, {@link PoolDirectory}, {@link ResourceLock},
 *       {@link ServiceEvents}, {@link UpdaterMetrics}, {@link CallRetries}.
 *   <li>Time and chance: {@link Time}, and {@link SystemTime} for programs.
 *   <li>Driving, called by adapters: {@link ClusterListener}.
 * </ul>
 */
@NullMarked
package dev.poolkeeper.ports;

import org.jspecify.annotations.NullMarked;
