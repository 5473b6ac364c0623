package dev.poolkeeper.ports;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Parses and prints IP addresses according to <a href="https://www.rfc-editor.org/rfc/rfc4291">RFC 4291</a> and <a
 * href="https://www.rfc-editor.org/rfc/rfc5952">RFC 5952</a>. The JDK's parser turns IPv4-mapped addresses into IPv4,
 * accepts shortened IPv4 and resolves other texts through DNS.
 */
final class IpAddressParser {

    private static final int GROUPS = 8;

    private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");

    private IpAddressParser() {}

    static @Nullable IpAddress parse(String text) {
        if (text.length() > 45) { // the longest spelling: an IPv4-mapped address in full
            return null;
        }
        if (text.indexOf(':') < 0) {
            long value = ipv4(text, 0);
            return value < 0 ? null : new IpAddress(IpFamily.IPV4, 0, value, text);
        }
        return ipv6(text);
    }

    private static @Nullable IpAddress ipv6(String text) {
        String hex = text.indexOf('.') < 0 ? text : withHexTail(text);
        int gap = hex.indexOf("::");
        List<String> groups = new ArrayList<>(groups(gap < 0 ? hex : hex.substring(0, gap)));
        List<String> tail = gap < 0 ? List.of() : groups(hex.substring(gap + 2));
        int zeros = GROUPS - groups.size() - tail.size();
        if (gap < 0 ? zeros != 0 : zeros < 1) {
            return null;
        }
        groups.addAll(Collections.nCopies(zeros, "0"));
        groups.addAll(tail);
        if (!groups.stream().allMatch(group -> GROUP.matcher(group).matches())) {
            return null;
        }
        return new IpAddress(IpFamily.IPV6, half(groups.subList(0, 4)), half(groups.subList(4, GROUPS)), text);
    }

    /** An IPv4 address at the end as two groups; texts with another dot stay as they are, and are no addresses. */
    private static String withHexTail(String text) {
        int start = text.lastIndexOf(':') + 1;
        long value = ipv4(text, start);
        return value < 0
                ? text
                : text.substring(0, start) + Long.toHexString(value >> 16) + ":" + Long.toHexString(value & 0xffff);
    }

    private static List<String> groups(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(":", -1));
    }

    private static long half(List<String> groups) {
        return Long.parseUnsignedLong(
                groups.stream()
                        .map(group -> "0".repeat(4 - group.length()) + group)
                        .collect(Collectors.joining()),
                16);
    }

    private static long ipv4(String text, int from) {
        long value = 0;
        int at = from;
        for (int part = 0; part < 4; part++) {
            int start = at;
            int number = 0;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9' && at - start < 4) {
                number = number * 10 + (text.charAt(at) - '0');
                at++;
            }
            boolean leadingZero = at - start > 1 && text.charAt(start) == '0';
            if (at == start || number > 255 || leadingZero) {
                return -1;
            }
            value = value << 8 | number;
            if (part < 3 && (at == text.length() || text.charAt(at++) != '.')) {
                return -1;
            }
        }
        return at == text.length() ? value : -1;
    }

    /**
     * RFC 5952: lower case, no leading zeros, the longest run of at least two zeros (the first of equal ones) as "::".
     */
    static String compressed(long high, long low) {
        if (high == 0 && low >>> 32 == 0xffff) { // RFC 5952 section 5: known IPv4-mapped prefixes keep the dotted tail
            return "::ffff:" + IpAddress.dotted(low);
        }
        StringJoiner joined = new StringJoiner(":", ":", ":");
        for (int i = 0; i < GROUPS; i++) {
            long half = i < GROUPS / 2 ? high : low;
            joined.add(Long.toHexString(half >>> 48 - 16 * (i % 4) & 0xffff));
        }
        String groups = joined.toString();
        int end = groups.length() - 1;
        for (int zeros = GROUPS; zeros > 1; zeros--) { // a single zero group is not compressed
            String run = ":0".repeat(zeros) + ":";
            int at = groups.indexOf(run);
            if (at >= 0) {
                return groups.substring(Math.min(1, at), at)
                        + "::"
                        + groups.substring(Math.min(at + run.length(), end), end);
            }
        }
        return groups.substring(1, end);
    }
}
