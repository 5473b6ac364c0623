package dev.poolkeeper.ports.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class BackoffPropertyTest {

    @Property
    @Rule(
            id = "P42",
            says = "A retry is never sent before the backoff ends; waits grow, are capped, and have jitter.",
            source = "GEP-1731: not retried before the configured minimum duration")
    void a_wait_is_never_shorter_than_the_minimum_or_longer_than_the_cap(
            @ForAll @LongRange(min = 0, max = 3_600_000) long minimumMillis,
            @ForAll @IntRange(min = 1, max = 2_000_000_000) int retry,
            @ForAll @DoubleRange(min = 0, max = 1, maxIncluded = false) double draw) {
        Backoff backoff = Backoff.atLeast(Duration.ofMillis(minimumMillis));
        Duration wait = backoff.before(retry, draw);
        assertThat(wait).isBetween(backoff.initial(), backoff.max());
        assertThat(backoff.before(retry, 0)).isLessThanOrEqualTo(wait);
        assertThat(backoff.before(Math.max(1, retry - 1), draw)).isLessThanOrEqualTo(wait);
    }

    @Property
    void the_first_waits_double(@ForAll @LongRange(min = 1, max = 100_000) long minimumMillis) {
        Duration minimum = Duration.ofMillis(minimumMillis);
        Backoff backoff = Backoff.atLeast(minimum);
        assertThat(backoff.before(1, 0)).isEqualTo(minimum);
        assertThat(backoff.before(2, 0)).isEqualTo(minimum.multipliedBy(2));
        assertThat(backoff.before(3, 0)).isEqualTo(minimum.multipliedBy(4));
        assertThat(backoff.before(9, 0)).isEqualTo(minimum.multipliedBy(5));
    }

    @Property
    void without_jitter_the_waits_grow_to_the_maximum_and_stay_there(
            @ForAll @LongRange(min = 1, max = 100_000) long initialMillis,
            @ForAll @IntRange(min = 1, max = 2_000_000_000) int retry) {
        Duration initial = Duration.ofMillis(initialMillis);
        Backoff backoff = new Backoff(initial, initial.multipliedBy(7));
        assertThat(backoff.before(retry)).isEqualTo(initial.multipliedBy(retry > 3 ? 7 : 1L << (retry - 1)));
    }

    @Property
    void without_jitter_the_wait_is_the_lower_end_of_the_jitter_range_up_to_the_limit(
            @ForAll @LongRange(min = 1, max = 100_000) long initialMillis,
            @ForAll @IntRange(min = 1, max = 3) int retry) {
        Backoff backoff = Backoff.atLeast(Duration.ofMillis(initialMillis));
        assertThat(backoff.before(retry)).isEqualTo(backoff.before(retry, 0));
    }
}
