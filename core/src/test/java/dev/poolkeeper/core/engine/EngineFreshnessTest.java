package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the engine passes on to {@link Freshness}: what is wanted, what pools hold, and when it leads. */
class EngineFreshnessTest {

    private final UpdateFixture the = new UpdateFixture(UpdateModel.DESIRED_STATE);

    private Freshness.Snapshot snapshot() {
        return the.engine.freshness(the.time.instant());
    }

    @Test
    void an_outage_lasts_from_the_change_to_its_write() {
        // given
        the.want(WEB, POOL, "10.0.0.9");
        the.tick();
        Duration before = snapshot().missingAddressTime();
        Instant changed = the.time.instant();
        the.want(WEB, POOL, "10.0.0.1", "10.0.0.2");
        assertThat(snapshot().outages()).isEqualTo(Set.of(POOL));
        assertThat(snapshot().oldestChange()).contains(changed);
        // when
        the.tick();
        // then
        assertThat(snapshot().outages()).isEmpty();
        assertThat(snapshot().oldestChange()).isEmpty();
        assertThat(snapshot().outage()).isEqualTo(UpdateFixture.INTERVAL.multipliedBy(2));
        assertThat(snapshot().missingAddressTime()).isEqualTo(before.plus(UpdateFixture.INTERVAL.multipliedBy(2)));
    }

    @Test
    void pool_contents_are_known_from_listings_and_reads() {
        // given
        the.want(WEB, POOL, "10.0.0.1");
        the.tick();
        the.cloud.putPool(POOL, AddressSet.of("10.0.0.1", "10.0.0.9"));
        the.time.advance(Duration.ofMinutes(10));
        // when
        the.engine.listIfDue();
        the.time.advance(Duration.ofSeconds(5));
        // then
        assertThat(snapshot().staleAddressTime()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_service_that_left_its_pool_wants_nothing_there() {
        the.want(API, OTHER_POOL, "10.0.0.1");
        assertThat(snapshot().outages()).isEqualTo(Set.of(OTHER_POOL));
        the.view.leave(API, OTHER_POOL);
        assertThat(snapshot().outages()).isEmpty();
    }

    @Test
    void only_the_leader_counts() {
        // given
        the.want(WEB, POOL, "10.0.0.1");
        the.time.advance(Duration.ofSeconds(3));
        // when
        the.engine.stopLeading();
        the.time.advance(Duration.ofHours(1));
        the.lead();
        the.time.advance(Duration.ofSeconds(4));
        // then
        assertThat(snapshot().missingAddressTime()).isEqualTo(Duration.ofSeconds(7));
    }
}
