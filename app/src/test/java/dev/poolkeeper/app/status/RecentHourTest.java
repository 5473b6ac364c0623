package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecentHourTest {

    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private final FakeTime time = new FakeTime(START);
    private List<PoolStatus> pools = List.of(Statuses.inStep(1), Statuses.held());
    private boolean leading = true;
    private Duration leadingFor = Duration.ofMinutes(1);
    private final Duration listedAgo = Duration.ofSeconds(30);

    private EngineStatus engine() {
        EngineStatus engine = Statuses.with(pools).engine();
        return new EngineStatus(
                time.instant(),
                leading,
                Optional.of(time.instant().minus(leadingFor)),
                new EngineStatus.Listing(
                        Optional.of(time.instant().minus(listedAgo)),
                        Optional.empty(),
                        time.instant(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of()),
                engine.work(),
                engine.holds(),
                engine.freshness(),
                engine.pools());
    }

    @Test
    void a_sample_is_taken_every_half_minute_and_kept_for_an_hour() {
        RecentHour hour = new RecentHour(this::engine, time);
        time.advance(Duration.ofSeconds(29));
        assertThat(hour.moments()).isEmpty();

        time.advance(Duration.ofSeconds(1));
        pools = List.of(Statuses.inStep(1));
        time.advance(Duration.ofSeconds(30));

        assertThat(hour.moments()).extracting(RecentHour.Moment::outOfStep).containsExactly(1, 0);

        time.advance(Duration.ofHours(2));
        assertThat(hour.moments()).hasSize(121);
        assertThat(hour.moments().getFirst().at()).isEqualTo(time.instant().minus(Duration.ofHours(1)));
    }

    @Test
    @Rule(
            id = "O94",
            says = "Only the leader samples the pools of the last hour, once it has listed them: what a standby last"
                    + " listed may be minutes old. For the same reason a standby does not summarize the state of its"
                    + " pools, and counts none as different or in outage.",
            source = "ours")
    void a_standby_takes_no_sample_nor_does_a_leader_that_has_not_listed() {
        RecentHour hour = new RecentHour(this::engine, time);
        leading = false;
        time.advance(Duration.ofMinutes(5));
        assertThat(hour.moments()).isEmpty();

        leading = true;
        leadingFor = Duration.ofSeconds(20);
        time.advance(Duration.ofSeconds(30));
        assertThat(hour.moments()).isEmpty();

        leadingFor = Duration.ofSeconds(30); // listed as soon as it led
        time.advance(Duration.ofSeconds(30));
        assertThat(hour.moments()).hasSize(1);
    }

    @Test
    void a_sample_that_fails_is_left_out() {
        AtomicInteger samples = new AtomicInteger();
        RecentHour hour = new RecentHour(
                () -> {
                    if (samples.incrementAndGet() == 1) {
                        throw new IllegalStateException("no status");
                    }
                    return engine();
                },
                time);
        assertThatThrownBy(() -> time.advance(Duration.ofSeconds(30))).hasMessage("no status");

        time.advance(Duration.ofSeconds(30));

        assertThat(hour.moments()).hasSize(1);
    }

    @Test
    void after_hours_without_a_sample_none_of_the_old_ones_is_left() {
        AtomicBoolean failing = new AtomicBoolean();
        RecentHour hour = new RecentHour(
                () -> {
                    if (failing.get()) {
                        throw new IllegalStateException("no status");
                    }
                    return engine();
                },
                time);
        time.advance(Duration.ofMinutes(5));
        failing.set(true);
        for (int i = 0; i < 240; i++) {
            assertThatThrownBy(() -> time.advance(Duration.ofSeconds(30))).hasMessage("no status");
        }
        failing.set(false);

        time.advance(Duration.ofSeconds(30));

        assertThat(hour.moments()).extracting(RecentHour.Moment::at).containsExactly(time.instant());
    }

    /** The oldest change is at 11:59:40. */
    @ParameterizedTest
    @CsvSource({"20.5, 20500", "0, 0", "-3600, 0"})
    void a_change_has_an_age_of_at_least_zero(double age, long millis) {
        EngineStatus engine = Statuses.with(pools).engine();
        Instant at = engine.freshness().oldestChange().orElseThrow().plusMillis((long) (age * 1_000));

        RecentHour.Moment moment = RecentHour.Moment.of(new EngineStatus(
                at,
                engine.leading(),
                engine.leadingSince(),
                engine.listing(),
                engine.work(),
                engine.holds(),
                engine.freshness(),
                engine.pools()));

        assertThat(moment).isEqualTo(new RecentHour.Moment(at, 1, Duration.ofMillis(millis)));
    }

    @Test
    void a_chart_of_zeros_lies_at_the_bottom() {
        List<RecentHour.Moment> moments = List.of(
                new RecentHour.Moment(START, 0, Duration.ZERO),
                new RecentHour.Moment(START.plus(Duration.ofMinutes(60)), 0, Duration.ZERO));

        Chart chart = Chart.of("Pools", "", moments, RecentHour.Moment::outOfStep, START.plus(Duration.ofHours(1)));

        assertThat(chart.line()).isEqualTo("0.0,59.0 360.0,59.0");
    }

    @Test
    void a_chart_spans_the_hour_and_its_highest_value() {
        Instant now = START.plus(Duration.ofHours(1));
        List<RecentHour.Moment> moments = List.of(
                new RecentHour.Moment(START, 0, Duration.ZERO),
                new RecentHour.Moment(START.plus(Duration.ofMinutes(30)), 4, Duration.ZERO),
                new RecentHour.Moment(now, 2, Duration.ZERO));

        Chart chart = Chart.of("Pools", "", moments, RecentHour.Moment::outOfStep, now);

        assertThat(chart.line()).isEqualTo("0.0,59.0 180.0,1.0 360.0,30.0");
        assertThat(chart.inWords()).isEqualTo("2 last, 4 at most");
        assertThat(Chart.of("Pools", " s", List.of(), RecentHour.Moment::outOfStep, now)
                        .inWords())
                .isEqualTo("0 s last, 0 s at most");
    }
}
