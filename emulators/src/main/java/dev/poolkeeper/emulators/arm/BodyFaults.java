package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.fake.cloud.HttpsFault;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Changes bodies according to a fault. */
final class BodyFaults {

    private static final byte[] PAGE = ("<html><head><title>Service Unavailable</title></head><body><h2>Our services"
                    + " aren't available right now</h2></body></html>")
            .getBytes(StandardCharsets.UTF_8);

    private BodyFaults() {}

    /**
     * The body to send.
     *
     * @param bytes the bytes
     * @param announced the announced length; more than the number of bytes if the body is truncated
     * @param contentType another {@code Content-Type} than JSON's, null for none
     */
    record Sent(byte[] bytes, int announced, @Nullable String contentType) {}

    static Sent apply(HttpsFault.@Nullable Body fault, byte[] body) {
        if (fault == null) {
            return new Sent(body, body.length, null);
        }
        return switch (fault) {
            case TRUNCATED -> new Sent(Arrays.copyOf(body, body.length / 2), body.length, null);
            case GARBLED -> new Sent(garbled(body), body.length, null);
            case EMPTY -> new Sent(new byte[0], 0, null);
            case HTML -> new Sent(PAGE, PAGE.length, "text/html");
        };
    }

    /** Swaps the halves, so that the body is no longer JSON but has the same length. */
    private static byte[] garbled(byte[] body) {
        byte[] garbled = new byte[body.length];
        int middle = body.length / 2;
        System.arraycopy(body, middle, garbled, 0, body.length - middle);
        System.arraycopy(body, 0, garbled, body.length - middle, middle);
        return garbled;
    }
}
