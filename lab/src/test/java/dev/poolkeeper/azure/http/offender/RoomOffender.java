package dev.poolkeeper.azure.http.offender;

import dev.poolkeeper.azure.pool.PollSettings;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class RoomOffender {
    public PollSettings other;
}
