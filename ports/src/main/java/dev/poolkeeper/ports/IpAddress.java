package dev.poolkeeper.ports;

import java.util.Optional;

/**
 * An IPv4 or IPv6 address. Two spellings of one address are equal ({@code FD12::1} and {@code fd12:0::1});
 * {@link #toString} keeps the original spelling, {@link #canonical} returns that of <a
 * href="https://www.rfc-editor.org/rfc/rfc5952">RFC 5952</a>.
 *
 * <p>An IPv4-mapped IPv6 address ({@code ::ffff:10.0.0.1}) is an IPv6 address here, as in Kubernetes and ARM. Texts
 * with zone identifiers, prefixes, or leading zeros in decimal parts are not addresses. Sorted by family, then by
 * value.
 */
public final class IpAddress implements Comparable<IpAddress> {

    private final IpFamily family;
    private final long high;
    private final long low;
    private final String spelling;

    IpAddress(IpFamily family, long high, long low, String spelling) {
        this.family = family;
        this.high = high;
        this.low = low;
        this.spelling = spelling;
    }

    /** @throws IllegalArgumentException if the text is not an IP address */
    public static IpAddress of(String text) {
        return parse(text)
                .orElseThrow(() -> new IllegalArgumentException("not an IPv4 or IPv6 address: \"" + text + "\""));
    }

    /** Parses a text; empty if it is not an IP address. Never queries DNS. */
    public static Optional<IpAddress> parse(String text) {
        return Optional.ofNullable(IpAddressParser.parse(text));
    }

    public IpFamily family() {
        return family;
    }

    /** The address in the spelling of RFC 5952. */
    public String canonical() {
        return family == IpFamily.IPV4 ? dotted(low) : IpAddressParser.compressed(high, low);
    }

    static String dotted(long value) {
        return ((value >> 24) & 0xff) + "." + ((value >> 16) & 0xff) + "." + ((value >> 8) & 0xff) + "."
                + (value & 0xff);
    }

    @Override
    public int compareTo(IpAddress other) {
        if (family != other.family) {
            return family.compareTo(other.family);
        }
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof IpAddress address
                        && family == address.family
                        && high == address.high
                        && low == address.low;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(high) + Long.hashCode(low);
    }

    /** The address in its original spelling. */
    @Override
    public String toString() {
        return spelling;
    }
}
