package dev.poolkeeper.input.proxy;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the proxy of each connection. Immutable.
 *
 * <p>Source: <a href="https://pkg.go.dev/golang.org/x/net/http/httpproxy">httpproxy</a>, which Kubernetes clients and
 * the cloud provider use. Ours: a proxy that Go ignores, because its address is invalid, is refused; and a request to a
 * virtual machine's metadata service never goes through a proxy, which would get an answer about another machine.
 */
public final class Proxies extends ProxySelector {

    /** Every connection is direct. */
    public static final Proxies NONE = new Proxies(null, null, (host, port) -> true, Map.of());

    private static final String HTTP = "HTTP_PROXY";
    private static final String HTTPS = "HTTPS_PROXY";
    private static final String EXCEPTIONS = "NO_PROXY";
    private static final String CGI = "REQUEST_METHOD";
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final @Nullable Proxy http;
    private final @Nullable Proxy https;
    private final Direct direct;
    private final Map<String, String> variables;

    /** Decides which hosts are reached without a proxy. */
    @FunctionalInterface
    interface Direct {
        boolean covers(String host, int port);
    }

    private Proxies(@Nullable Proxy http, @Nullable Proxy https, Direct direct, Map<String, String> variables) {
        this.http = http;
        this.https = https;
        this.direct = direct;
        this.variables = variables;
    }

    /**
     * Reads {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY}, each in upper or else in lower case.
     *
     * @param environment such as {@link System#getenv()}
     * @throws BadInputException if one cannot be obeyed; the fault shows no password
     */
    public static Proxies of(Map<String, String> environment) throws BadInputException {
        List<InputFault> faults = new ArrayList<>();
        Proxy http = proxy(environment, HTTP, faults);
        Proxy https = proxy(environment, HTTPS, faults);
        if (http != null && !environment.getOrDefault(CGI, "").isEmpty()) {
            faults.add(new InputFault(
                    HTTP, "", "is set together with " + CGI + ", so that a client may have set it; unset one of them"));
        }
        if (!faults.isEmpty()) {
            throw new BadInputException(faults);
        }
        if (http == null && https == null) {
            return NONE;
        }
        String exceptions = value(environment, EXCEPTIONS);
        return new Proxies(
                http,
                https,
                new NoProxy(exceptions)::covers,
                Map.of(HTTP, shown(http), HTTPS, shown(https), EXCEPTIONS, exceptions));
    }

    /** One proxy for all connections, loopback included, as the {@code proxy-url} of a kubeconfig. */
    public static Proxies always(ProxyAddress proxy) {
        return new Proxies(proxy.proxy(), proxy.proxy(), (host, port) -> false, Map.of());
    }

    private static @Nullable Proxy proxy(Map<String, String> environment, String name, List<InputFault> faults) {
        String text = value(environment, name);
        try {
            return text.isEmpty() ? null : ProxyAddress.of(text).proxy();
        } catch (IllegalArgumentException e) {
            faults.add(new InputFault(name, "", String.valueOf(e.getMessage())));
            return null;
        }
    }

    private static String value(Map<String, String> environment, String name) {
        String upper = environment.getOrDefault(name, "").strip();
        return upper.isEmpty()
                ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "").strip()
                : upper;
    }

    private static String shown(@Nullable Proxy proxy) {
        return proxy == null ? "" : "http://" + proxy.address().toString().replace("/<unresolved>", "");
    }

    /** The variables that were read, by their names in upper case; empty texts for those that are not set. */
    public Map<String, String> variables() {
        return variables;
    }

    @Override
    public List<Proxy> select(URI uri) {
        boolean tls = "https".equalsIgnoreCase(uri.getScheme());
        Proxy proxy = tls ? https : http;
        int usual = tls ? HTTPS_PORT : HTTP_PORT;
        boolean isDirect = proxy == null
                || isMetadata(uri)
                || direct.covers(uri.getHost(), uri.getPort() < 0 ? usual : uri.getPort());
        return List.of(isDirect ? Proxy.NO_PROXY : proxy);
    }

    private static boolean isMetadata(URI uri) {
        return "http".equalsIgnoreCase(uri.getScheme()) && "169.254.169.254".equals(uri.getHost());
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // the request itself fails
    }
}
