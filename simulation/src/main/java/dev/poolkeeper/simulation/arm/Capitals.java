package dev.poolkeeper.simulation.arm;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import java.nio.charset.StandardCharsets;

/** Another spelling of ARM's ids, which compare without regard to case (ARM, "Resource naming"). */
final class Capitals {

    private static final byte[] ID = "\"id\":\"".getBytes(StandardCharsets.US_ASCII);

    private Capitals() {}

    /** The response with the value of each {@code id} in capitals. */
    static AnswerPart inIds(AnswerPart part) {
        return part instanceof Whole(var status, var headers, var body, var announced)
                ? new Whole(status, headers, inIds(body), announced)
                : part;
    }

    private static byte[] inIds(byte[] body) {
        byte[] spelled = body.clone();
        int matched = 0;
        for (int i = 0; i < spelled.length; i++) {
            if (matched < ID.length) {
                matched = spelled[i] == ID[matched] ? matched + 1 : spelled[i] == ID[0] ? 1 : 0;
            } else if (spelled[i] == '"') {
                matched = 0;
            } else {
                spelled[i] = (byte) Character.toUpperCase(spelled[i]);
            }
        }
        return spelled;
    }
}
