package dev.poolkeeper.azure.pool.offender;

import com.azure.core.http.HttpClient;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class RoomOffender {
    public HttpClient other;
}
