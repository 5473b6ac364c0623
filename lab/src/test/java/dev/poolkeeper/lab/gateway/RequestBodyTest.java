package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestBodyTest {

    /** The client's bytes are counted, and thrown away. */
    private static final class Counting extends OutputStream {
        long written;

        @Override
        public void write(int one) {
            written++;
        }

        @Override
        public void write(byte[] piece, int offset, int length) {
            written += length;
        }
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** So many zeros, none of which is kept in memory. */
    private static InputStream zeros(long count) {
        return new InputStream() {
            private long left = count;

            @Override
            public int read() {
                return left-- > 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] to, int offset, int most) {
                int read = (int) Math.min(most, left);
                left -= read;
                Arrays.fill(to, offset, offset + read, (byte) 0);
                return read == 0 ? -1 : read;
            }
        };
    }

    private static RequestBody inChunks(InputStream... parts) throws Exception {
        InputStream in = new SequenceInputStream(Collections.enumeration(List.of(parts)));
        return RequestBody.read(new MessageBody(in, MessageBody.CHUNKED), MessageBody.CHUNKED);
    }

    @Test
    void a_body_in_chunks_may_have_a_gibibyte() throws Exception {
        Counting out = new Counting();
        RequestBody body = inChunks(text("40000000\r\n"), zeros(RequestBody.LARGEST), text("\r\n0\r\n\r\n"));

        body.sendTo(out);

        assertThat(body.fault()).isEmpty();
        assertThat(out.written).isGreaterThan(RequestBody.LARGEST);
    }

    /** Without an end, it would occupy its connections, and fill the backend, for ever. */
    @Test
    void a_body_in_chunks_that_is_larger_is_not_sent_on() throws Exception {
        Counting out = new Counting();
        RequestBody body = inChunks(
                text("40000000\r\n"), zeros(RequestBody.LARGEST), text("\r\n1\r\n"), zeros(1), text("\r\n0\r\n\r\n"));

        assertThatThrownBy(() -> body.sendTo(out)).isInstanceOf(IOException.class);
        assertThat(body.fault()).contains(OwnAnswer.TOO_LARGE);
    }
}
