package dev.poolkeeper.azure.http.offender;

import dev.poolkeeper.azure.pool.PollSettings;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class RoomOffender {
    public PollSettings other;
}
