package dev.poolkeeper.k8s.client;

import javax.net.ssl.SSLContext;

/** How connections to an API server are secured, with a client certificate that may be replaced. Thread-safe. */
public interface TlsSettings {

    /**
     * The context of new connections. Another one once the client certificate was replaced: connections of the previous
     * one, and its TLS sessions, keep the previous certificate. May block, for example to read a file.
     *
     * @throws IllegalStateException if there is no certificate that can be sent
     */
    SSLContext context();

    /** Called when the API server has answered 401 on a connection of this context. */
    default void refused(SSLContext context) {}
}
