package dev.poolkeeper.core.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Loss;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ServiceReportsTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final Instant END = Instant.ofEpochSecond(7);

    static Stream<Arguments> causes() {
        return Stream.of(
                Arguments.of(
                        new HoldCause.Braked("removal-1", new Loss.Everything(60, 100), Duration.ofMinutes(10), END),
                        new ServiceEvent.Cause.Hold("SAFETY_BRAKE", Optional.of(END), Optional.of("removal-1"), 0)),
                Arguments.of(
                        new HoldCause.ChangedBack(3, END),
                        new ServiceEvent.Cause.Hold("DRIFT", Optional.of(END), Optional.empty(), 3)),
                Arguments.of(
                        new HoldCause.OverBudget(),
                        new ServiceEvent.Cause.Hold("RETRY_BUDGET", Optional.empty(), Optional.empty(), 0)));
    }

    @ParameterizedTest
    @MethodSource("causes")
    void an_event_about_a_hold_has_its_values(HoldCause because, ServiceEvent.Cause values) {
        List<ServiceEvent> events = new ArrayList<>();
        new ServiceReports(events::add, Instant::toString).accept(new Fact.HoldReported(POOL, WEB, because));
        assertThat(events)
                .containsExactly(new ServiceEvent(
                        WEB,
                        POOL,
                        ServiceEvent.Reason.HELD,
                        HoldTexts.message(because),
                        HoldTexts.message(because),
                        values));
    }
}
