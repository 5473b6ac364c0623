package dev.poolkeeper.azure.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The proxy for https requests from the environment: {@code HTTPS_PROXY}, except for the hosts in {@code NO_PROXY};
 * both in upper or lower case. Requests without TLS, such as those to a virtual machine's metadata service, never go
 * through it. Immutable.
 *
 * <p>A proxy URL with user and password is rejected, because the JDK does not send them when it opens a tunnel unless
 * the whole process is started with a property that allows it.
 *
 * @param address the proxy's http URL; null if the environment sets none, so that the JDK's own settings apply
 * @param exceptions the value of {@code NO_PROXY}; empty if it is not set
 */
public record HttpsProxy(@Nullable URI address, String exceptions) {

    /** The JDK's own settings apply. */
    public static final HttpsProxy NONE = new HttpsProxy(null, "");

    private static final int USUAL_PORT = 80;

    /** @throws IllegalArgumentException if the URL is not that of an http proxy; the message shows no password */
    public HttpsProxy {
        if (address != null && !isUsable(address)) {
            throw unusable(address.toString());
        }
    }

    /**
     * Reads the proxy from the environment.
     *
     * @param environment such as {@link System#getenv()}
     * @throws IllegalArgumentException if it is not an http proxy; the message shows no password
     */
    public static HttpsProxy of(Map<String, String> environment) {
        String proxy = value(environment, "HTTPS_PROXY");
        return proxy.isEmpty() ? NONE : new HttpsProxy(parse(proxy), value(environment, "NO_PROXY"));
    }

    private static String value(Map<String, String> environment, String name) {
        String upper = environment.getOrDefault(name, "").strip();
        return upper.isEmpty()
                ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "").strip()
                : upper;
    }

    private static URI parse(String proxy) {
        try {
            return URI.create(proxy.contains("://") ? proxy : "http://" + proxy);
        } catch (IllegalArgumentException e) {
            throw unusable(proxy);
        }
    }

    private static boolean isUsable(URI address) {
        String path = address.getPath();
        return "http".equalsIgnoreCase(address.getScheme())
                && address.getHost() != null
                && address.getRawUserInfo() == null
                && (path.isEmpty() || path.equals("/"))
                && address.getRawQuery() == null;
    }

    private static IllegalArgumentException unusable(String proxy) {
        return new IllegalArgumentException(
                "HTTPS_PROXY is \"%s\", must be an http address such as http://proxy:3128, without user and password"
                        .formatted(proxy.contains("@") ? "***" : proxy));
    }

    HttpClient.Builder on(HttpClient.Builder builder) {
        return address == null ? builder : builder.proxy(selector(address));
    }

    private ProxySelector selector(URI proxy) {
        int port = proxy.getPort() < 0 ? USUAL_PORT : proxy.getPort();
        // resolved again for each connection
        return new Selector(InetSocketAddress.createUnresolved(proxy.getHost(), port), new NoProxy(exceptions));
    }

    private static final class Selector extends ProxySelector {

        private static final int HTTPS_PORT = 443;

        private final List<Proxy> proxy;
        private final NoProxy exceptions;

        Selector(InetSocketAddress proxy, NoProxy exceptions) {
            this.proxy = List.of(new Proxy(Proxy.Type.HTTP, proxy));
            this.exceptions = exceptions;
        }

        @Override
        public List<Proxy> select(URI uri) {
            int port = uri.getPort() < 0 ? HTTPS_PORT : uri.getPort();
            boolean isDirect = !"https".equalsIgnoreCase(uri.getScheme()) || exceptions.covers(uri.getHost(), port);
            return isDirect ? List.of(Proxy.NO_PROXY) : proxy;
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {
            // the request itself fails
        }
    }
}
