package dev.poolkeeper.input.proxy;

import dev.poolkeeper.ports.IpAddress;
import java.math.BigInteger;
import java.net.IDN;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;

/**
 * The hosts in {@code NO_PROXY}, separated by commas: {@code *} for all, an address, a network such as
 * {@code 10.0.0.0/8}, a domain with its subdomains, or, with a leading dot, only its subdomains; all except networks
 * may have a port. Loopback is always included. Other entries match nothing. Immutable.
 *
 * <p>Source: <a href="https://pkg.go.dev/golang.org/x/net/http/httpproxy">httpproxy</a>, which the cloud provider uses.
 */
final class NoProxy {

    private static final int IPV4_BYTES = 4;
    /** The bits of an IPv4-mapped address that come before the IPv4 address. */
    private static final int MAPPED_BITS = 96;

    private final List<BiPredicate<String, String>> rules = new ArrayList<>();

    NoProxy(String text) {
        rules.add((host, port) -> host.equals("localhost") || isLoopback(host));
        Arrays.stream(text.toLowerCase(Locale.ROOT).split(","))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .map(NoProxy::rule)
                .forEach(rules::add);
    }

    /** @param host with or without the brackets of IPv6 */
    boolean covers(String host, int port) {
        String name = withoutBrackets(host.toLowerCase(Locale.ROOT));
        return rules.stream().anyMatch(rule -> rule.test(name, Integer.toString(port)));
    }

    private static BiPredicate<String, String> rule(String entry) {
        if (entry.equals("*")) {
            return (host, port) -> true;
        }
        int slash = entry.indexOf('/');
        if (slash > 0 && isAddress(entry.substring(0, slash))) {
            return network(entry.substring(0, slash), entry.substring(slash + 1));
        }
        int colon = entry.lastIndexOf(':');
        String host = colon < 0 ? entry : entry.substring(0, colon);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        if (colon < 0 || (!isBracketed && host.indexOf(':') >= 0)) { // without a port
            return host(entry);
        }
        String only = entry.substring(colon + 1);
        return host.isEmpty()
                ? (name, port) -> false
                : host(withoutBrackets(host)).and((name, port) -> only.isEmpty() || port.equals(only));
    }

    private static BiPredicate<String, String> host(String name) {
        if (isAddress(name)) {
            byte[] address = bytes(name);
            return (host, port) -> isAddress(host) && Arrays.equals(bytes(host), address);
        }
        String domain = ascii(name.startsWith("*.") ? name.substring(1) : name);
        BiPredicate<String, String> matches = domain.startsWith(".")
                ? (host, port) -> host.endsWith(domain)
                : (host, port) -> host.equals(domain) || host.endsWith("." + domain);
        return matches.and((host, port) -> !isAddress(host));
    }

    private static String ascii(String name) {
        try {
            return IDN.toASCII(name);
        } catch (IllegalArgumentException e) {
            return name; // of no host
        }
    }

    private static BiPredicate<String, String> network(String text, String prefix) {
        byte[] network = bytes(text);
        boolean isMapped = text.indexOf(':') >= 0 && network.length == IPV4_BYTES;
        int bits = prefix.matches("0|[1-9][0-9]{0,2}") ? Integer.parseInt(prefix) - (isMapped ? MAPPED_BITS : 0) : -1;
        if (bits < 0 || bits > network.length * Byte.SIZE) {
            return (host, port) -> false;
        }
        return (host, port) -> isAddress(host) && isIn(bytes(host), network, bits);
    }

    private static boolean isIn(byte[] address, byte[] network, int bits) {
        return address.length == network.length
                && new BigInteger(1, address)
                        .xor(new BigInteger(1, network))
                        .shiftRight(network.length * Byte.SIZE - bits)
                        .equals(BigInteger.ZERO);
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
