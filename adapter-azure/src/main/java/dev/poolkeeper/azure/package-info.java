/**
 * Reads and writes backend pools through Azure Resource Manager.
 *
 * <p>{@link dev.poolkeeper.azure.AzurePools} is the way in. A call goes through {@code ArmExchange} (attempts, retries,
 * deadline), {@code ArmClient} (the SDK's requests) and {@code WirePolicy} (gates, {@code If-Match}, the answer as it
 * was), and its answer through {@code PoolReader}; {@code WriteOperation} follows a write to its end.
 * {@code FailureMapping} is the one place that knows the SDK's exceptions, {@code ArmCodes} the one that knows ARM's
 * codes.
 *
 * <p>No message, log line or text form holds a token, a secret or the signed part of an address.
 */
@NullMarked
package dev.poolkeeper.azure;

import org.jspecify.annotations.NullMarked;
