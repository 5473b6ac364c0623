/**
 * HTTP exchanges with Azure Resource Manager: {@link dev.poolkeeper.azure.http.ArmExchange} makes attempts and retries
 * through the SDK's pipeline, behind throttling gates and within size limits; only {@code FailureMapping} knows the
 * SDK's exceptions, and only {@code ArmCodes} knows ARM's error codes. Independent of pools.
 *
 * <p>No message, log line or {@code toString} contains a token, a secret or the signed part of a URL.
 */
@NullMarked
package dev.poolkeeper.azure.http;

import org.jspecify.annotations.NullMarked;
