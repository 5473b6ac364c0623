package dev.poolkeeper.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The head of a request or a response, parsed only as far as a load generator needs. */
final class WireHead {

    private static final int LARGEST = 8 << 10;
    private static final String LENGTH = "\r\ncontent-length:";

    private final String text;

    private WireHead(String text) {
        this.text = text;
    }

    /** Null at the end of the stream. */
    static @Nullable WireHead read(InputStream in) throws IOException {
        byte[] bytes = new byte[LARGEST];
        int length = 0;
        int ends = 0;
        while (length < LARGEST) {
            int next = in.read();
            if (next < 0) {
                return null;
            }
            bytes[length++] = (byte) next;
            ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
            if (ends == 2) {
                return new WireHead(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
            }
        }
        throw new IOException("a head of more than " + LARGEST + " bytes");
    }

    /** For a request: whether its response has no body. */
    boolean isHead() {
        return text.startsWith("HEAD ");
    }

    /** For a response. */
    int status() {
        return Integer.parseInt(text.substring(9, 12));
    }

    /** The length of the body; 0 if absent. */
    int length() {
        int at = text.toLowerCase(Locale.ROOT).indexOf(LENGTH);
        return at < 0
                ? 0
                : Integer.parseInt(text.substring(at + LENGTH.length(), text.indexOf('\r', at + 2))
                        .strip());
    }
}
