package dev.poolkeeper.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.UpdateLog;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Loss;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The log entries for single facts. */
class UpdateLogTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");

    private final UpdateLog log = new UpdateLog();

    @RegisterExtension
    final Logged logged = new Logged(UpdateLog.class, Level.DEBUG);

    private static HoldCause because(HoldCause.By by) {
        return switch (by) {
            case PAUSE -> new HoldCause.Paused();
            case SERVICE_PAUSE -> new HoldCause.ServicePaused(WEB);
            case FORBIDDEN -> new HoldCause.Forbidden(POOL, Failure.Other.terminal("denied"), Instant.EPOCH);
            case DRIFT -> new HoldCause.ChangedBack(3, Instant.EPOCH);
            case SHARED_POOL -> new HoldCause.OthersMissing();
            case SAFETY_BRAKE ->
                new HoldCause.Braked("removal-1", new Loss.Everything(60, 100), Duration.ZERO, Instant.EPOCH);
            case REMOVAL_WAVE -> new HoldCause.Wave(Optional.empty());
            case RETRY_BUDGET -> new HoldCause.OverBudget();
            case AMBIGUOUS ->
                new HoldCause.Ambiguous(new AmbiguousPool(WEB, POOL.pool(), List.of(POOL), Optional.empty()));
        };
    }

    @ParameterizedTest
    @EnumSource
    void a_hold_that_no_guard_logs_is_logged_at_info(HoldCause.By by) {
        Level expected = switch (by) {
            case SERVICE_PAUSE, SHARED_POOL, RETRY_BUDGET -> Level.INFO;
            // logged by what holds the update, or over within seconds, or holding no update
            case PAUSE, FORBIDDEN, DRIFT, SAFETY_BRAKE, REMOVAL_WAVE, AMBIGUOUS -> Level.DEBUG;
        };
        HoldCause because = because(by);

        log.accept(new Fact.HoldBegan(POOL, List.of(WEB), because));
        log.accept(new Fact.HoldEnded(POOL, because, Instant.EPOCH));

        assertThat(logged.list).extracting(ILoggingEvent::getLevel).containsExactly(expected, expected);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0.0 s",
        "PT0.04S, 0.0 s",
        "PT0.06S, 0.1 s",
        "PT2.345S, 2.3 s",
        "PT9.94S, 9.9 s",
        "PT10S, 10 s",
        "PT46.789S, 46 s",
        "PT1M59.9S, 119 s",
        "PT2M, 2 min",
        "PT1H30M59S, 90 min"
    })
    void the_time_since_the_change_is_logged_in_words(Duration sinceChange, String words) {
        Plan plan = new Plan(POOL, List.of(WEB), AddressSet.empty(), AddressSet.of("10.0.0.1"));

        log.accept(new Fact.Written(new Fact.Attempt(POOL, null), plan, 1, sinceChange));

        assertThat(logged.list.get(0).getKeyValuePairs()).last().hasToString("sinceChange=\"" + words + "\"");
    }
}
