package dev.poolkeeper.core.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SteadyClockTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final AtomicReference<Instant> wall = new AtomicReference<>(START);
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    @Test
    void a_wall_clock_that_is_set_back_makes_nobody_wait_longer() {
        // given
        SteadyClock clock = new SteadyClock(wall::get, nanos::get);
        // when
        nanos.addAndGet(Duration.ofSeconds(30).toNanos());
        wall.set(START.minusSeconds(600));
        // then
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(30));
    }
}
