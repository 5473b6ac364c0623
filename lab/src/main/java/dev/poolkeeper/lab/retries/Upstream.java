package dev.poolkeeper.lab.retries;

import java.util.function.IntConsumer;

/** What attempts are sent to: a service that may call another one, or the backend at the end. */
@FunctionalInterface
interface Upstream {

    /** What a success answers. */
    int OK = 200;

    /** Takes an attempt that belongs to a client's request; the answer's status comes later. */
    void send(ClientRequest request, IntConsumer answer);
}
