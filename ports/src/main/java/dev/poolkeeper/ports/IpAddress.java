package dev.poolkeeper.ports;

import java.util.Optional;

/**
 * An IPv4 or IPv6 address. Two spellings of one address are equal ({@code FD12::1} and {@code fd12:0::1});
 * {@link #toString} keeps the spelling it came with, {@link #canonical} gives the one of <a
 * href="https://www.rfc-editor.org/rfc/rfc5952">RFC 5952</a>.
 *
 * <p>An IPv4-mapped IPv6 address ({@code ::ffff:10.0.0.1}) is an IPv6 address here, as it is one to Kubernetes and to
 * ARM. Zone identifiers, prefixes, and decimal parts with leading zeros are no addresses. Sorted by family, then by
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

    /** @throws IllegalArgumentException if the text is no IP address */
    public static IpAddress of(String text) {
        return parse(text)
                .orElseThrow(() -> new IllegalArgumentException("not an IPv4 or IPv6 address: \"" + text + "\""));
    }

    /** The address that the text spells, or nothing if it spells none. Never asks a name service. */
    public static Optional<IpAddress> parse(String text) {
        return Optional.ofNullable(IpAddressParser.parse(text));
    }

    public IpFamily family() {
        return family;
    }

    /** The address in the one spelling of RFC 5952. */
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

    /** The address in the spelling it was given. */
    @Override
    public String toString() {
        return spelling;
    }
}
