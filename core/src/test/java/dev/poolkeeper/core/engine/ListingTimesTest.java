package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListingTimesTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final ListingTimes times =
            new ListingTimes(Duration.ofMinutes(5), new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(30)));

    @Test
    void a_request_waits_for_the_backoff_only_until_a_listing_succeeds() {
        times.begins(START);
        times.failed(START);
        times.ask();
        assertThat(times.next()).isEqualTo(START.plusSeconds(2));

        Instant again = START.plusSeconds(2);
        times.begins(again);
        times.succeeded(again, List.of());
        assertThat(times.next()).isEqualTo(again.plus(Duration.ofMinutes(5)));
        times.ask();
        assertThat(times.next()).isEqualTo(again.plus(ListingTimes.MIN_INTERVAL));
    }
}
