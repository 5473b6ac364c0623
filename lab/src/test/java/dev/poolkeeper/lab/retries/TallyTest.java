package dev.poolkeeper.lab.retries;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TallyTest {

    private static final long SECOND = 1_000_000_000;

    /** Ten requests in two minutes, a stretch of the course for each second. */
    private static void count(Tally tally) {
        for (int i = 1; i <= 10; i++) {
            tally.requested();
            tally.attempted(i * SECOND, false);
            if (i <= 4) {
                tally.attempted((i + 1) * SECOND, true);
            }
            if (i <= 8) {
                tally.attemptSucceeded();
            }
            if (i >= 8) {
                tally.refused(i * SECOND);
            }
            tally.finished(20 * SECOND + i * SECOND / 2, i <= 8, i * SECOND / 100, i <= 4 ? 2 : 1);
        }
    }

    @Test
    void each_figure_has_its_value_and_unit() {
        Tally tally = new Tally(Duration.ofMinutes(2));
        count(tally);
        PolicyResult result = tally.result("p", Duration.ofMinutes(2), List.of());
        assertThat(result.name()).isEqualTo("p");
        assertThat(result.success()).isEqualTo(new PolicyResult.Views(.8, 8 / 14.0));
        assertThat(result.rps()).isEqualTo(new PolicyResult.Views(10 / 120.0, 14 / 120.0));
        assertThat(result.latency()).isEqualTo(new PolicyResult.Latency(50, 100, 100));
        assertThat(result.retriesRefused()).isEqualTo(3);
        assertThat(result.amplification()).isEqualTo(1.4);
        assertThat(counts(result.course().attempts())).isEqualTo("1:1 2:2 3:2 4:2 5:2 6:1 7:1 8:1 9:1 10:1");
        assertThat(counts(result.course().retries())).isEqualTo("2:1 3:1 4:1 5:1");
        assertThat(counts(result.course().refused())).isEqualTo("8:1 9:1 10:1");
        assertThat(counts(result.course().finished())).isEqualTo("20:1 21:2 22:2 23:2 24:2 25:1");
        assertThat(counts(result.course().succeeded())).isEqualTo("20:1 21:2 22:2 23:2 24:1");
        assertThat(LongStream.of(result.histogram()).sum()).isEqualTo(10);
        assertThat(counts(result.histogram())).isEqualTo("10:1 14:1 15:1 17:2 18:1 19:1 20:3");
    }

    @Test
    void the_whole_has_the_figures_of_its_parts_together() {
        Tally whole = new Tally(Duration.ofMinutes(2));
        Tally one = new Tally(Duration.ofMinutes(2), whole);
        Tally two = new Tally(Duration.ofMinutes(2), whole);
        count(one);
        count(two);
        Tally alone = new Tally(Duration.ofMinutes(2));
        count(alone);
        count(alone);
        PolicyResult together = whole.result("p", Duration.ofMinutes(2), List.of());
        assertThat(together).usingRecursiveComparison().isEqualTo(alone.result("p", Duration.ofMinutes(2), List.of()));
        assertThat(together.rps().effective()).isEqualTo(20 / 120.0);
        assertThat(one.result("p", Duration.ofMinutes(2), List.of()).rps().effective())
                .isEqualTo(10 / 120.0);
    }

    @Test
    void without_requests_every_figure_is_zero() {
        PolicyResult result = new Tally(Duration.ofMinutes(2)).result("p", Duration.ofMinutes(2), List.of());
        assertThat(result.success()).isEqualTo(new PolicyResult.Views(0, 0));
        assertThat(result.rps()).isEqualTo(new PolicyResult.Views(0, 0));
        assertThat(result.latency()).isEqualTo(new PolicyResult.Latency(0, 0, 0));
        assertThat(result.amplification()).isZero();
        assertThat(counts(result.histogram())).isEmpty();
    }

    /** Each index with its count, without zeros. */
    private static String counts(long[] series) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < series.length; i++) {
            text.append(series[i] == 0 ? "" : " " + i + ":" + series[i]);
        }
        return text.toString().strip();
    }
}
