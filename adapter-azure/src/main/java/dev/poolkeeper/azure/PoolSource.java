package dev.poolkeeper.azure;

import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;

/**
 * What a pool that was read is written back from.
 *
 * @param model the SDK's model; it is shared and never changed
 */
record PoolSource(BackendAddressPoolInner model, WriteRefusal refusal) {}
