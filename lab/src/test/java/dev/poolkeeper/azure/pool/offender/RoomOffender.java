package dev.poolkeeper.azure.pool.offender;

import com.azure.core.http.HttpClient;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class RoomOffender {
    public HttpClient other;
}
