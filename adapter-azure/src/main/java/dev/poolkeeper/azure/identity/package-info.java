/**
 * Our identity in Azure, its cloud and its permissions: {@link dev.poolkeeper.azure.identity.AzureCredentials} and
 * {@link dev.poolkeeper.azure.identity.PermissionProbe}.
 */
@NullMarked
package dev.poolkeeper.azure.identity;

import org.jspecify.annotations.NullMarked;
