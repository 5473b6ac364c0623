package dev.poolkeeper.k8s.client;

import java.util.Optional;

/** Authenticates requests to the API server by the header {@code Authorization}. Thread-safe. */
@FunctionalInterface
public interface Credential {

    /** Requests carry no such header. */
    Credential NONE = Optional::empty;

    /**
     * The header's value; empty for none. May block, for example to read a file.
     *
     * @throws IllegalStateException if there is none that can be sent; the message does not contain it
     */
    Optional<String> authorization();

    /** Called when the API server has answered 401 to a request with this value. */
    default void refused(String authorization) {}
}
