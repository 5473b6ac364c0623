package dev.poolkeeper.k8s.kubeconfig;

import java.util.Optional;

/** Provides our client certificate. Thread-safe. */
interface IdentitySource {

    /** There is none. */
    IdentitySource NONE = Optional::empty;

    /**
     * The one of the next request; empty for none. May block, for example to read a file.
     *
     * @throws IllegalStateException if there is none that can be sent
     */
    Optional<ClientIdentity> identity();

    /** Called when the API server has answered 401 to a request with this one. */
    default void refused(ClientIdentity identity) {}
}
