package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.ServiceName;
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

    @Test
    void a_pool_that_was_not_found_too_often_does_not_make_the_listings_for_another_one_rarer() {
        for (int i = 0; i < 20; i++) { // as often as the Services of a namespace may ask
            times.ask(new ServiceName("asks", "s" + i), START);
            times.begins(START);
        }
        ServiceName missing = new ServiceName("shop", "web");
        times.succeeded(START, List.of(missing));
        times.notFound(List.of(new ServiceName("asks", "another")), START);
        assertThat(times.next()).isEqualTo(START.plusSeconds(2));

        Instant again = START.plusSeconds(2);
        times.begins(again);
        times.succeeded(again, List.of(missing));
        assertThat(times.next()).isEqualTo(again.plusSeconds(4));
    }
}
