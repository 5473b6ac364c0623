package dev.poolkeeper.input.proxy;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of an HTTP proxy. Others are refused: the JDK's client connects directly if a SOCKS proxy is selected,
 * speaks plain text to a proxy that is to be reached through TLS, and by default sends no password when it opens a
 * tunnel. Immutable.
 *
 * @param host a name or an address; IPv6 without brackets
 * @param port from 1 to 65535
 */
public record ProxyAddress(String host, int port) {

    private static final int USUAL_PORT = 80;
    /** The largest port of any address. */
    public static final int LAST_PORT = 65_535;

    private static final Pattern URL = Pattern.compile(
            "(?<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?<user>[^/?#]*@)?(?<host>\\[[0-9A-Fa-f:.]+]|[^\\s\\[\\]:/?#@]+)"
                    + "(:(?<port>[0-9]{0,5}))?([/?#]\\S*)?");

    /**
     * Reads a URL such as {@code http://proxy:3128}; the port is 80 if there is none, and a path is ignored.
     *
     * @throws IllegalArgumentException if it is anything else; the message follows the name of the setting and shows no
     *     password
     */
    public static ProxyAddress ofUrl(String url) {
        Matcher found = URL.matcher(url);
        if (!found.matches() || !"http".equalsIgnoreCase(found.group("scheme")) || found.group("user") != null) {
            throw unusable(url);
        }
        String port = found.group("port");
        int number = port == null || port.isEmpty() ? USUAL_PORT : Integer.parseInt(port);
        if (number < 1 || number > LAST_PORT) {
            throw unusable(url);
        }
        String host = found.group("host");
        return new ProxyAddress(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, number);
    }

    /** The same for a URL or {@code HOST:PORT}, as in the environment. */
    static ProxyAddress of(String text) {
        return ofUrl(text.contains("://") ? text : "http://" + text);
    }

    private static IllegalArgumentException unusable(String url) {
        String shown = url.replaceFirst("(?s)^([A-Za-z][A-Za-z0-9+.-]*://)?.*@", "$1***@");
        return new IllegalArgumentException(
                "found \"%s\", must be an http proxy such as http://proxy:3128, without user".formatted(shown)
                        + " and password; SOCKS and https proxies are not supported");
    }

    /** The host is resolved again for each connection. */
    Proxy proxy() {
        return new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(host, port));
    }
}
