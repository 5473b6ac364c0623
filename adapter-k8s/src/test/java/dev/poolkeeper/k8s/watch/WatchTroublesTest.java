package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.retry.Backoff;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class WatchTroublesTest {

    private static final Throwable REFUSED = new IllegalStateException("refused");
    private static final Throwable TOO_OLD = new IllegalStateException("HTTP 410: too old resource version: 7");

    private final FakeTime time = new FakeTime();
    private final Troubles troubles = new Troubles(
            "Service",
            "https://10.0.0.1/",
            new Backoff(WatchSettings.DEFAULT.firstBackoff(), WatchSettings.DEFAULT.longestBackoff()),
            time);

    @Test
    @Rule(
            id = "V3",
            says = "A failed watch or list is retried after 0.8 s to 30 s, whatever the jitter.",
            source = "ours")
    void waits_stay_between_the_minimum_and_the_maximum() {
        DoubleStream.of(0, 0.5, 0.999_999).forEach(draw -> {
            time.willDraw(draw);
            for (int failure = 0; failure < 20; failure++) {
                assertThat(troubles.failed("list", REFUSED)).isBetween(Duration.ofMillis(800), Duration.ofSeconds(30));
            }
        });
    }

    @Test
    @Rule(
            id = "V4",
            says = "A 410 leads to a new list immediately, even after failures; a second one without an event in"
                    + " between backs off.",
            source = "ours")
    void an_expired_version_costs_no_wait_unless_it_happens_twice() {
        for (int failure = 0; failure < 8; failure++) {
            troubles.failed("watch", REFUSED);
        }

        assertThat(troubles.expired("watch", TOO_OLD)).isZero();
        troubles.succeeded(); // the list
        assertThat(troubles.expired("watch", TOO_OLD)).isPositive();
        troubles.watchWorks();
        assertThat(troubles.expired("watch", TOO_OLD)).isZero();
    }

    @Test
    void after_an_event_the_waits_are_short_again() {
        for (int failure = 0; failure < 8; failure++) {
            troubles.failed("watch", REFUSED);
        }
        troubles.watchWorks();

        assertThat(troubles.failed("watch", REFUSED)).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void the_last_error_names_request_server_and_cause() {
        troubles.failed("list", new IOException(new ConnectException()));

        assertThat(troubles.lastError())
                .contains("list at https://10.0.0.1/: connection refused, or the network is unreachable");
        troubles.succeeded();
        assertThat(troubles.lastError()).isEmpty();
    }
}
