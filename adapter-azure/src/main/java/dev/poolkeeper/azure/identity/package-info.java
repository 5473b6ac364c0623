/**
 * Who we are to Azure, in which cloud, and what we may do there: {@link dev.poolkeeper.azure.identity.AzureCredentials}
 * and {@link dev.poolkeeper.azure.identity.PermissionProbe}.
 */
@NullMarked
package dev.poolkeeper.azure.identity;

import org.jspecify.annotations.NullMarked;
