package dev.poolkeeper.azure.identity.offender;

import dev.poolkeeper.azure.AzureScope;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class RoomOffender {
    public AzureScope other;
}
