package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.FakeTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimedBodyTest {

    private final FakeTime time = new FakeTime();

    private TimedBody body(InputStream body) {
        return new TimedBody(body, Duration.ofSeconds(30), time);
    }

    @Test
    void the_time_between_two_reads_does_not_count() throws IOException {
        try (TimedBody body = body(new ByteArrayInputStream(new byte[] {1, (byte) 0xff}))) {
            assertThat(body.read()).isEqualTo(1);
            time.advance(Duration.ofHours(1));
            assertThat(body.read()).isEqualTo(0xff);
            time.advance(Duration.ofHours(1));
            assertThat(body.read()).isEqualTo(-1);
        }
        assertThat(time.pending()).isZero();
    }

    /** A closed body may fail the read in progress, or look like one that has ended. */
    @ParameterizedTest
    @CsvSource({"29, true, false", "30, true, true", "30, false, true"})
    void the_time_of_one_read_does(int seconds, boolean fails, boolean late) throws IOException {
        TimedBody body = body(new InputStream() {
            private boolean closed;

            @Override
            public int read() throws IOException {
                time.advance(Duration.ofSeconds(seconds));
                if (closed && fails) {
                    throw new IOException("closed");
                }
                return closed ? -1 : 7;
            }

            @Override
            public void close() {
                closed = true;
            }
        });
        if (late) {
            assertThatThrownBy(body::read)
                    .isInstanceOf(HttpTimeoutException.class)
                    .hasMessage("no data within 30 s");
            assertThatThrownBy(body::read).isInstanceOf(HttpTimeoutException.class);
        } else {
            assertThat(body.read()).isEqualTo(7);
            assertThat(body.read()).isEqualTo(7);
        }
        body.close();
        assertThat(time.pending()).isZero();
    }
}
