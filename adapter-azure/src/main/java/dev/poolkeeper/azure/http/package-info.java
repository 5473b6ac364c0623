/**
 * HTTP exchanges with Azure Resource Manager: {@link dev.poolkeeper.azure.http.ArmExchange} makes attempts and retries
 * over the SDK's pipeline, behind throttling gates and within size limits; {@code FailureMapping} is the one place that
 * knows the SDK's exceptions, {@code ArmCodes} the one that knows ARM's codes. Knows nothing of pools.
 *
 * <p>No message, log line or text form holds a token, a secret or the signed part of an address.
 */
@NullMarked
package dev.poolkeeper.azure.http;

import org.jspecify.annotations.NullMarked;
