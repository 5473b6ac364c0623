package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.lab.gateway.MessageHead.Field;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The head of a backend's response whose end is unambiguous: one length, or chunks, or the end of the connection (RFC
 * 9112, section 6.3).
 *
 * @param status 200 to 599
 * @param reason the text after the status
 * @param fields all fields
 * @param length of the body, as in {@link MessageBody}
 * @param isPersistent whether the backend keeps the connection
 */
record BackendAnswer(int status, String reason, List<Field> fields, long length, boolean isPersistent) {

    private static final Pattern START = Pattern.compile("HTTP/1\\.([01]) ([1-5][0-9]{2})( .*)?");
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");
    private static final int MOST_INTERIM = 16;

    /**
     * Reads the response to a request; interim ones are dropped.
     *
     * @throws ProtocolException if it is malformed or its end is ambiguous
     * @throws EOFException if it is not complete
     */
    static BackendAnswer read(InputStream in, String method) throws IOException {
        for (int i = 0; i < MOST_INTERIM; i++) {
            MessageHead head = MessageHead.read(in);
            if (head == null) {
                throw new EOFException("the backend closed the connection");
            }
            var start = START.matcher(head.start());
            if (!start.matches()) {
                throw new ProtocolException("the status line is malformed");
            }
            int status = Integer.parseInt(start.group(2));
            if (status == 101) {
                throw new ProtocolException("no one asked for another protocol");
            }
            if (status >= 200) {
                boolean isOld = start.group(1).equals("0");
                String reason = start.group(3) == null ? "" : start.group(3).strip();
                long length = length(head, isOld);
                boolean isEmpty = method.equals("HEAD") || status == 204 || status == 304;
                boolean isPersistent = !isOld
                        && length != MessageBody.UNTIL_CLOSE
                        && !HopByHop.options(head.fields()).contains("close");
                return new BackendAnswer(
                        status,
                        reason,
                        head.fields(),
                        isEmpty ? 0 : length,
                        isEmpty && !isOld ? !HopByHop.options(head.fields()).contains("close") : isPersistent);
            }
        }
        throw new ProtocolException("too many interim responses");
    }

    private static long length(MessageHead head, boolean isOld) throws ProtocolException {
        List<String> encodings = head.values("Transfer-Encoding");
        List<String> lengths = head.values("Content-Length").stream().distinct().toList();
        if (!encodings.isEmpty()) {
            if (isOld || encodings.size() > 1 || !encodings.get(0).equalsIgnoreCase("chunked") || !lengths.isEmpty()) {
                throw new ProtocolException("the end of the response is ambiguous");
            }
            return MessageBody.CHUNKED;
        }
        if (lengths.isEmpty()) {
            return MessageBody.UNTIL_CLOSE;
        }
        if (lengths.size() > 1 || !DIGITS.matcher(lengths.get(0)).matches()) {
            throw new ProtocolException("the end of the response is ambiguous");
        }
        return Long.parseLong(lengths.get(0));
    }
}
