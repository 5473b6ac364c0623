package dev.poolkeeper.azure.identity.offender;

import dev.poolkeeper.azure.AzureScope;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class RoomOffender {
    public AzureScope other;
}
