package dev.poolkeeper.lab.gateway;

import java.util.Comparator;

/**
 * A host name of an HTTPRoute: a single host, all subdomains ({@code *.example.com}), or any host.
 *
 * @param name without the asterisk, {@code .example.com} for all subdomains; empty for any host
 * @param isWildcard whether it matches all subdomains
 */
record HostPattern(String name, boolean isWildcard) {

    static final HostPattern ANY = new HostPattern("", true);

    /** The most specific first. */
    static final Comparator<HostPattern> PRECEDENCE = Comparator.comparing(HostPattern::isWildcard)
            .thenComparing(Comparator.comparingInt((HostPattern host) -> host.name.length())
                    .reversed());

    static HostPattern of(String hostname) {
        return hostname.startsWith("*")
                ? new HostPattern(hostname.substring(1), true)
                : new HostPattern(hostname, false);
    }

    boolean matches(String host) {
        return isWildcard ? host.endsWith(name) && host.length() > name.length() || name.isEmpty() : host.equals(name);
    }

    /** As in an HTTPRoute; an asterisk for any host. */
    @Override
    public String toString() {
        return isWildcard ? "*" + name : name;
    }
}
