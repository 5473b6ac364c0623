package dev.poolkeeper.k8s.kubeconfig;

import static dev.poolkeeper.k8s.kubeconfig.Kubeconfig.text;

import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.proxy.ProxyAddress;
import dev.poolkeeper.k8s.kubeconfig.Kubeconfig.Entry;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a cluster.
 *
 * @param keys the keys themselves
 * @param server the API server's address
 * @param authority the certificates in {@code certificate-authority} or its data; null for those that the JDK trusts
 * @param tls whom to trust
 * @param proxy in place of the proxies of the environment
 */
record Cluster(
        JsonObject keys,
        URI server,
        byte @Nullable [] authority,
        Tls tls,
        @Nullable ProxyAddress proxy) {
    private static final URI NONE = URI.create("https://unknown.invalid");
    private static final String SERVER = "server";
    private static final String AUTHORITY = "certificate-authority";
    private static final String INSECURE = "insecure-skip-tls-verify";
    private static final String SERVER_NAME = "tls-server-name";
    private static final List<String> KEYS = List.of(
            SERVER,
            AUTHORITY,
            AUTHORITY + "-data",
            INSECURE,
            SERVER_NAME,
            "proxy-url",
            "disable-compression",
            "extensions");

    /** Invalid values become faults. */
    static Cluster read(Entry cluster) {
        JsonObject keys = cluster.keys();
        keys.allowOnly(KEYS);
        keys.truth("disable-compression"); // nothing is compressed: no request asks for it
        FileOrData authority = FileOrData.read(cluster, AUTHORITY);
        Cluster read = new Cluster(keys, server(keys), authority.bytes(), tls(keys, authority), proxy(keys));
        if (!read.tls().equals(Tls.USUAL)) {
            read.requireTls();
        }
        return read;
    }

    /** Kubernetes clients send no credential without TLS; the request would be another user's. */
    void requireTls() {
        if ("http".equalsIgnoreCase(server.getScheme())) {
            keys.fault(SERVER, "found \"%s\", must be https: credentials and certificates need TLS".formatted(server));
        }
    }

    private static URI server(JsonObject keys) {
        String text = text(keys, SERVER);
        try {
            URI uri = new URI(text);
            boolean isHttp = "https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme());
            if (isHttp
                    && uri.getHost() != null
                    && uri.getPort() <= ProxyAddress.LAST_PORT
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // the fault below says what is allowed
        }
        keys.fault(
                SERVER,
                text.isEmpty()
                        ? "is missing, must be an https address"
                        : "found \"%s\", must be an https or http address without user, query and fragment"
                                .formatted(text.replaceFirst("//.*@", "//***@")));
        return NONE;
    }

    private static Tls tls(JsonObject keys, FileOrData authority) {
        Tls tls = Tls.USUAL;
        if (keys.truth(INSECURE)) {
            if (authority.isSet()) {
                keys.fault(INSECURE, "found true, must not be set together with " + AUTHORITY);
            }
            tls = Tls.TRUSTING_ANY;
        } else if (authority.bytes() != null) {
            try {
                tls = Tls.trusting(Pem.certificates(authority.bytes()));
            } catch (IllegalArgumentException e) {
                keys.fault(authority.key(), String.valueOf(e.getMessage()));
            }
        }
        String name = text(keys, SERVER_NAME);
        if (!ServerNameContext.isName(name)) {
            keys.fault(SERVER_NAME, "found \"%s\", must be the name of a host".formatted(name));
        }
        return name.isEmpty() ? tls : tls.withServerName(name);
    }

    private static @Nullable ProxyAddress proxy(JsonObject keys) {
        String url = text(keys, "proxy-url");
        try {
            return url.isEmpty() ? null : ProxyAddress.ofUrl(url);
        } catch (IllegalArgumentException e) {
            keys.fault("proxy-url", String.valueOf(e.getMessage()));
            return null;
        }
    }
}
