/**
 * Reads and writes backend pools through Azure Resource Manager. Start with {@link dev.poolkeeper.azure.AzurePools}:
 * {@link dev.poolkeeper.azure.AzureSettings} selects the cloud and the load balancers,
 * {@link dev.poolkeeper.azure.identity.AzureCredentials} provides tokens, {@link dev.poolkeeper.azure.http.ArmHttp}
 * sends the requests.
 *
 * <p>Packages: {@code http} exchanges requests and responses; {@code pool} and {@code identity} use it and are
 * independent of each other.
 */
@NullMarked
package dev.poolkeeper.azure;

import org.jspecify.annotations.NullMarked;
