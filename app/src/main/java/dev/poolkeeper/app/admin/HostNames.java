package dev.poolkeeper.app.admin;

import dev.poolkeeper.ports.IpAddress;
import java.util.List;
import java.util.Locale;

/**
 * The names under which an admin server answers. A web page of a stranger can make a browser send requests to a
 * forwarded or local port, and read the answers, if the name of that page resolves to our address (DNS rebinding); such
 * a request carries that name as its {@code Host}. So only names are answered that no stranger can own: IP addresses,
 * {@code localhost}, names without a dot, names that end in {@code .localhost}, {@code .svc} or {@code .cluster.local},
 * and configured ones. Clients that send no {@code Host} are no browsers.
 *
 * @param further further names, in lower case
 */
public record HostNames(List<String> further) {

    /** Without further names. */
    public static final HostNames USUAL = new HostNames(List.of());

    /** The text that goes with status 421. */
    public static final String REFUSAL = "this server does not answer under the name in the Host header; use an IP"
            + " address or localhost, or add the name to admin.hosts\n";

    private static final List<String> OF_CLUSTERS = List.of(".localhost", ".svc", ".cluster.local");

    public HostNames {
        further = List.copyOf(further);
    }

    /** @param headers every {@code Host} header of a request */
    public boolean allow(List<String> headers) {
        return headers.isEmpty() || headers.size() == 1 && isAllowed(headers.getFirst());
    }

    private boolean isAllowed(String header) {
        String host = withoutPort(header.strip()).toLowerCase(Locale.ROOT);
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return IpAddress.parse(name).isPresent()
                || name.matches("[a-z0-9_-]+")
                || OF_CLUSTERS.stream().anyMatch(name::endsWith)
                || further.contains(name);
    }

    private static String withoutPort(String header) {
        if (header.startsWith("[")) {
            int end = header.indexOf(']');
            return end < 0 ? header : header.substring(1, end);
        }
        int colon = header.indexOf(':');
        return colon < 0 ? header : header.substring(0, colon);
    }
}
