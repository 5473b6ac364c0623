package dev.poolkeeper.lab.retries;

import java.util.function.IntConsumer;

/** The target of attempts: a service that may call another one, or the backend. */
@FunctionalInterface
interface Upstream {

    /** The status of a success. */
    int OK = 200;

    /** Receives an attempt of a client's request; the status of the response comes later. */
    void send(ClientRequest request, IntConsumer answer);
}
