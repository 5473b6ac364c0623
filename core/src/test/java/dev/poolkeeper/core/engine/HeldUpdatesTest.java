package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.guard.Held;
import dev.poolkeeper.core.guard.HoldNotices;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeldUpdatesTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey OTHER = PoolKey.of("lb-2", "shop-web");

    private final FakeTime time = new FakeTime();
    private final FakeServiceEvents events = new FakeServiceEvents(time);
    private final HoldNotices notices = new HoldNotices(events);
    private final HeldUpdates held = new HeldUpdates(notices, pool -> List.of(WEB), time);

    private static Held because(Held.By by) {
        return new Held(by, Optional.empty(), "Held.", "Wait.");
    }

    private void hold(Held.By by) {
        held.hold(POOL, List.of(WEB), because(by));
    }

    private Instant since() {
        return held.find(POOL).orElseThrow().since();
    }

    @Test
    void a_pool_is_held_since_its_cause_began() {
        // given
        Instant begun = time.instant();
        hold(Held.By.DRIFT);
        time.advance(Duration.ofSeconds(5));
        // when, then
        hold(Held.By.DRIFT);
        assertThat(since()).isEqualTo(begun);
        hold(Held.By.FORBIDDEN);
        assertThat(since()).isEqualTo(begun.plusSeconds(5));
    }

    @Test
    void a_continuing_cause_is_reported_once_and_a_refused_retry_again_after_its_end() {
        hold(Held.By.DRIFT);
        hold(Held.By.DRIFT);
        held.release(POOL);
        hold(Held.By.DRIFT); // the guard decides when a fight is over
        assertThat(events.events()).hasSize(1);

        hold(Held.By.RETRY_BUDGET);
        held.release(POOL);
        hold(Held.By.RETRY_BUDGET);
        assertThat(events.events()).hasSize(3);
    }

    @Test
    void only_a_service_that_left_the_pool_and_returned_gets_its_event_again() {
        // given
        notices.report(List.of(WEB, API), POOL, because(Held.By.DRIFT));
        notices.report(List.of(WEB), OTHER, because(Held.By.DRIFT));
        events.clear();
        // when
        notices.left(WEB, POOL);
        notices.report(List.of(WEB, API), POOL, because(Held.By.DRIFT));
        notices.report(List.of(WEB), OTHER, because(Held.By.DRIFT));
        // then
        assertThat(events.events()).singleElement().satisfies(event -> {
            assertThat(event.service()).isEqualTo(WEB);
            assertThat(event.pool()).isEqualTo(POOL);
        });
    }
}
