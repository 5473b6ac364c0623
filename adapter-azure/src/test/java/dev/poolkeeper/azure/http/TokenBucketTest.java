package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketTest {

    private final FakeTime time = new FakeTime();

    @ParameterizedTest
    @ValueSource(longs = {50, 333, 900, 999, 1_000, 1_001, 7_777})
    void frequent_requests_lose_no_refill_time(long micros) {
        // given
        TokenBucket bucket = new TokenBucket(new RateLimit(3, 10), time.instant());
        Duration step = Duration.ofNanos(micros * 1_000);
        Duration most = Duration.ofSeconds(60);
        // when
        int taken = 0;
        Duration passed = Duration.ZERO;
        for (; passed.compareTo(most) <= 0; passed = passed.plus(step)) {
            taken += bucket.tryTake(time.instant()).isEmpty() ? 1 : 0;
            time.advance(step);
        }
        // then: its full capacity, and three per second until the last call
        assertThat(taken).isEqualTo(10 + (int) Math.floor(passed.minus(step).toNanos() * 3 / 1e9 + 1e-6));
    }

    @Test
    void a_long_idle_bucket_is_full_and_no_more() {
        TokenBucket bucket = new TokenBucket(new RateLimit(3, 2), time.instant());
        time.advance(Duration.ofDays(400_000));
        assertThat(bucket.tryTake(time.instant())).isEmpty();
        assertThat(bucket.tryTake(time.instant())).isEmpty();
        assertThat(bucket.tryTake(time.instant())).hasValue(time.instant().plusMillis(334));
    }

    @Test
    void no_wait_is_longer_than_a_day() {
        TokenBucket bucket = new TokenBucket(new RateLimit(1e-9, 1), time.instant());
        assertThat(bucket.tryTake(time.instant())).isEmpty();
        assertThat(bucket.tryTake(time.instant())).hasValue(time.instant().plus(Duration.ofDays(1)));
    }

    @Test
    void a_clock_that_is_set_back_does_not_stop_the_refill() {
        // given
        TokenBucket bucket = new TokenBucket(new RateLimit(1, 1), time.instant());
        assertThat(bucket.tryTake(time.instant())).isEmpty();
        // when
        time.jump(Duration.ofHours(-1));
        // then
        assertThat(bucket.tryTake(time.instant())).hasValue(time.instant().plusSeconds(1));
        time.advance(Duration.ofSeconds(1));
        assertThat(bucket.tryTake(time.instant())).isEmpty();
    }
}
