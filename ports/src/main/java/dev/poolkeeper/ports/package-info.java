/**
 * The shared value types, and the interfaces between {@code core} and the outside.
 *
 * <p>The types here only validate and represent values. Every value is immutable and may be shared between threads.
 * Each interface documents its thread-safety and errors.
 *
 * <ul>
 *   <li>Values: {@link ServiceName}, {@link ArmName}, {@link PoolKey}, {@link IpAddress}, {@link AddressSet},
 *       {@link IpFamily}, {@link BackendPool}; {@link Reply} and {@link Failure}.
 *   <li>Driven, implemented by adapters: {@link BackendPools}, {@link PoolDirectory}, {@link ResourceLock},
 *       {@link ServiceEvents}, {@link CallRetries}.
 *   <li>Time and randomness: {@link Time}, and {@link SystemTime} for programs.
 *   <li>Driving, called by adapters: {@link ClusterListener}.
 * </ul>
 */
@NullMarked
package dev.poolkeeper.ports;

import org.jspecify.annotations.NullMarked;
