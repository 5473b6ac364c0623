/**
 * Reads and writes backend pools through Azure Resource Manager. {@link dev.poolkeeper.azure.AzurePools} is where to
 * start: {@link dev.poolkeeper.azure.AzureSettings} says which load balancers in which cloud,
 * {@link dev.poolkeeper.azure.identity.AzureCredentials} gives tokens, {@link dev.poolkeeper.azure.http.ArmHttp}
 * carries the requests.
 *
 * <p>Packages: {@code http} exchanges requests and answers; {@code pool} and {@code identity} use it and do not know
 * each other.
 */
@NullMarked
package dev.poolkeeper.azure;

import org.jspecify.annotations.NullMarked;
