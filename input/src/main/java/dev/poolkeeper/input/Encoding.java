package dev.poolkeeper.input;

import java.io.IOException;
import java.io.InputStream;

/** The encoding of a file, as detected from its first bytes. */
public enum Encoding {
    /** UTF-8, or any other content; the parser will report that. */
    UTF_8(""),
    UTF_16("a UTF-16 file"),
    UTF_32("a UTF-32 file"),
    GZIP("a gzip file");

    private static final int HEAD = 4;

    private final String words;

    Encoding(String words) {
        this.words = words;
    }

    /**
     * Detects the encoding of a text that begins with an ASCII character or a byte order mark. Consumes nothing.
     *
     * @param in supports {@link InputStream#mark}
     */
    public static Encoding peek(InputStream in) throws IOException {
        in.mark(HEAD);
        byte[] head = in.readNBytes(HEAD);
        in.reset();
        return of(head);
    }

    /** Detects the encoding of a text that begins with an ASCII character or a byte order mark. */
    static Encoding of(byte[] text) {
        int a = at(text, 0);
        int b = at(text, 1);
        int c = at(text, 2);
        int d = at(text, 3);
        if (a == 0x1f && b == 0x8b) {
            return GZIP;
        }
        boolean isUtf32 = a == 0xff && b == 0xfe && c == 0 && d == 0
                || a == 0 && b == 0 && c == 0xfe && d == 0xff
                || a == 0 && b == 0 && c == 0 && d > 0
                || a > 0 && b == 0 && c == 0 && d == 0;
        if (isUtf32) {
            return UTF_32;
        }
        boolean isUtf16 = a == 0xff && b == 0xfe || a == 0xfe && b == 0xff || a == 0 && b > 0 || a > 0 && b == 0;
        return isUtf16 ? UTF_16 : UTF_8;
    }

    /** @return -1 past the end */
    private static int at(byte[] text, int index) {
        return index < text.length ? text[index] & 0xff : -1;
    }

    /**
     * Refuses a file that is not UTF-8.
     *
     * @param source the file
     * @param expected the message for another encoding, such as "not JSON"
     * @throws BadInputException if it has another encoding
     */
    public void requireUtf8(String source, String expected) throws BadInputException {
        if (this != UTF_8) {
            throw new BadInputException(
                    new InputFault(source, "", "is " + expected + ": this is " + words + ", must be UTF-8"));
        }
    }
}
