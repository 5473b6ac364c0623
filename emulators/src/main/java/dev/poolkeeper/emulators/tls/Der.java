package dev.poolkeeper.emulators.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The few ASN.1 values that a certificate is made of, in DER (X.690). */
final class Der {

    private static final DateTimeFormatter GENERALIZED_TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'");

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return tagged(0x30, parts);
    }

    static byte[] set(byte[]... parts) {
        return tagged(0x31, parts);
    }

    /** Context-specific and constructed: {@code [number] EXPLICIT}. */
    static byte[] explicit(int number, byte[]... parts) {
        return tagged(0xa0 | number, parts);
    }

    /** Context-specific and primitive: {@code [number] IMPLICIT}. */
    static byte[] implicit(int number, byte[] content) {
        return tagged(0x80 | number, content);
    }

    static byte[] integer(BigInteger value) {
        return tagged(0x02, value.toByteArray());
    }

    static byte[] trueValue() {
        return tagged(0x01, new byte[] {(byte) 0xff});
    }

    static byte[] bitString(int unusedBits, byte[] content) {
        return tagged(0x03, new byte[] {(byte) unusedBits}, content);
    }

    static byte[] octetString(byte[] content) {
        return tagged(0x04, content);
    }

    static byte[] utf8(String text) {
        return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    /** RFC 5280 wants UTCTime before 2050; both are read everywhere, and one form is enough here from 2050 on. */
    static byte[] time(Instant instant) {
        String text = GENERALIZED_TIME.format(instant.atOffset(ZoneOffset.UTC));
        return instant.atOffset(ZoneOffset.UTC).getYear() < 2050
                ? tagged(0x17, text.substring(2).getBytes(StandardCharsets.US_ASCII))
                : tagged(0x18, text.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] oid(int... arcs) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.write(arcs[0] * 40 + arcs[1]);
        for (int i = 2; i < arcs.length; i++) {
            for (int shift = 28; shift > 0; shift -= 7) {
                if (arcs[i] >> shift != 0) {
                    content.write(0x80 | arcs[i] >> shift & 0x7f);
                }
            }
            content.write(arcs[i] & 0x7f);
        }
        return tagged(0x06, content.toByteArray());
    }

    private static byte[] tagged(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.size();
        if (length > 0x7f) {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int from = digits[0] == 0 ? 1 : 0;
            out.write(0x80 | digits.length - from);
            out.write(digits, from, digits.length - from);
        } else {
            out.write(length);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
