package dev.poolkeeper.ports;

import org.jspecify.annotations.Nullable;

/**
 * Parses and prints IP addresses according to <a href="https://www.rfc-editor.org/rfc/rfc4291">RFC 4291</a> and <a
 * href="https://www.rfc-editor.org/rfc/rfc5952">RFC 5952</a>. The JDK's parser turns IPv4-mapped addresses into IPv4,
 * accepts shortened IPv4 and resolves other texts through DNS.
 */
final class IpAddressParser {

    private static final int GROUPS = 8;

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
        int[] groups = new int[GROUPS];
        int count = 0;
        int gap = -1; // index of the group that follows "::"
        int at = 0;
        if (text.startsWith("::")) {
            gap = 0;
            at = 2;
        }
        while (at < text.length()) {
            int end = at;
            while (end < text.length() && text.charAt(end) != ':') {
                end++;
            }
            boolean last = end == text.length();
            if (last && text.indexOf('.', at) >= 0) {
                long tail = ipv4(text, at);
                if (tail < 0 || count > GROUPS - 2) {
                    return null;
                }
                groups[count++] = (int) (tail >> 16);
                groups[count++] = (int) (tail & 0xffff);
                break;
            }
            int group = group(text, at, end);
            if (group < 0 || count == GROUPS) {
                return null;
            }
            groups[count++] = group;
            at = end + 1;
            if (!last && at == text.length()) {
                return null; // ends in a single colon
            }
            if (!last && text.charAt(at) == ':') {
                if (gap >= 0) {
                    return null;
                }
                gap = count;
                at++;
            }
        }
        if (gap < 0 ? count != GROUPS : count == GROUPS) {
            return null;
        }
        return new IpAddress(IpFamily.IPV6, half(groups, count, gap, 0), half(groups, count, gap, 4), text);
    }

    /** Four groups starting at {@code first}, with the gap filled by zeros. */
    private static long half(int[] groups, int count, int gap, int first) {
        long value = 0;
        for (int i = first; i < first + 4; i++) {
            int index = gap < 0 || i < gap ? i : i - (GROUPS - count);
            boolean inGap = gap >= 0 && i >= gap && index < gap;
            value = value << 16 | (inGap ? 0 : groups[index]);
        }
        return value;
    }

    private static int group(String text, int from, int to) {
        if (from == to || to - from > 4) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
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
        int[] groups = new int[GROUPS];
        for (int i = 0; i < 4; i++) {
            groups[i] = (int) (high >>> (48 - 16 * i) & 0xffff);
            groups[i + 4] = (int) (low >>> (48 - 16 * i) & 0xffff);
        }
        int runStart = -1;
        int runLength = 1; // a single zero group is not compressed
        for (int i = 0; i < GROUPS; i++) {
            int j = i;
            while (j < GROUPS && groups[j] == 0) {
                j++;
            }
            if (j - i > runLength) {
                runStart = i;
                runLength = j - i;
            }
            i = Math.max(i, j - 1);
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < GROUPS; i++) {
            if (i == runStart) {
                text.append("::");
                i += runLength - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
