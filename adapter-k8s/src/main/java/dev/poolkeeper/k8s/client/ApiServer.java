package dev.poolkeeper.k8s.client;

import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An API server and how to connect to it. Nothing else affects a connection: neither the environment nor Fabric8's
 * system properties. Immutable.
 *
 * @param uri its address, with http or https; may have a path
 * @param tls which certificates are trusted, and our own; empty for those that the JDK trusts, and none
 * @param proxies selects HTTP proxies; the JDK's client connects directly if it selects any other
 * @param credential authenticates requests
 * @param headers more headers of each request, such as {@code Impersonate-User}
 */
public record ApiServer(
        URI uri,
        Optional<TlsSettings> tls,
        ProxySelector proxies,
        Credential credential,
        Map<String, List<String>> headers) {

    /** One that is reached directly, without authentication. */
    public static ApiServer at(URI uri) {
        return new ApiServer(uri, Optional.empty(), HttpClient.Builder.NO_PROXY, Credential.NONE, Map.of());
    }
}
