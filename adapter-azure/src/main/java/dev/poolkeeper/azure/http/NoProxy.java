package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.IpAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;

/**
 * The hosts in {@code NO_PROXY}: {@code *} for all, an address, a network such as {@code 10.0.0.0/8}, a domain with its
 * subdomains, or, with a leading dot, only its subdomains; all except networks may have a port. Loopback is always
 * included. Other entries match nothing. Immutable.
 *
 * <p>Source: <a href="https://pkg.go.dev/golang.org/x/net/http/httpproxy">httpproxy</a>, which the cloud provider uses.
 */
final class NoProxy {

    private final List<BiPredicate<String, Integer>> rules = new ArrayList<>();

    NoProxy(String text) {
        rules.add((host, port) -> host.equals("localhost") || isLoopback(host));
        Arrays.stream(text.toLowerCase(Locale.ROOT).split(","))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .map(NoProxy::rule)
                .forEach(rules::add);
    }

    boolean covers(String host, int port) {
        String folded = withoutBrackets(host.toLowerCase(Locale.ROOT));
        return rules.stream().anyMatch(rule -> rule.test(folded, port));
    }

    private static BiPredicate<String, Integer> rule(String entry) {
        if (entry.equals("*")) {
            return (host, port) -> true;
        }
        int slash = entry.indexOf('/');
        if (slash > 0 && isAddress(entry.substring(0, slash))) {
            return network(bytes(entry.substring(0, slash)), entry.substring(slash + 1));
        }
        int colon = entry.lastIndexOf(':');
        if (!isAddress(entry) && colon > 0 && entry.substring(colon + 1).matches("[0-9]{1,5}")) {
            int only = Integer.parseInt(entry.substring(colon + 1));
            return host(withoutBrackets(entry.substring(0, colon))).and((host, port) -> port == only);
        }
        return host(entry);
    }

    private static BiPredicate<String, Integer> host(String name) {
        if (isAddress(name)) {
            byte[] address = bytes(name);
            return (host, port) -> isAddress(host) && Arrays.equals(bytes(host), address);
        }
        String domain = name.startsWith("*.") ? name.substring(1) : name;
        return domain.startsWith(".")
                ? (host, port) -> host.endsWith(domain)
                : (host, port) -> host.equals(domain) || host.endsWith("." + domain);
    }

    private static BiPredicate<String, Integer> network(byte[] network, String prefix) {
        int bits = prefix.matches("[0-9]{1,3}") ? Integer.parseInt(prefix) : -1;
        if (bits < 0 || bits > network.length * Byte.SIZE) {
            return (host, port) -> false;
        }
        return (host, port) -> isAddress(host) && isIn(bytes(host), network, bits);
    }

    private static boolean isIn(byte[] address, byte[] network, int bits) {
        if (address.length != network.length) {
            return false;
        }
        for (int i = 0; i < bits; i++) {
            int mask = 0x80 >> i % Byte.SIZE;
            if ((address[i / Byte.SIZE] & mask) != (network[i / Byte.SIZE] & mask)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLoopback(String host) {
        return isAddress(host) && inet(host).isLoopbackAddress();
    }

    private static boolean isAddress(String text) {
        return IpAddress.parse(text).isPresent();
    }

    private static byte[] bytes(String address) {
        return inet(address).getAddress();
    }

    /** Makes no DNS query, because the text is an address. */
    private static InetAddress inet(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address + " is not an address", e);
        }
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
