package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How pools are found and compared with the wanted addresses, term by term. */
class EngineTest {

    private static final Failure REFUSED = Failure.ofStatus(403, null, ArmError.ofStatus(403));

    private EngineFixture the = new EngineFixture();

    @Test
    @Rule(
            id = "C01",
            says = "At the start of a term as leader all pools are compared, and only those that differ are read and"
                    + " written.",
            source = "Kubernetes: level-triggered")
    void only_what_differs_is_adopted() {
        the.pool("web", 1, 2);
        the.pool("api", 1);
        the.service("web", 1, 2);
        the.service("api", 1, 3);

        the.lead();
        the.tick();

        assertThat(the.calls()).containsExactly("GET shop-api", "PUT shop-api");
        assertThat(the.held("api")).isEqualTo(EngineFixture.addresses(1, 3));
    }

    @Test
    @Rule(
            id = "C02",
            says = "Nothing is listed, and therefore nothing is written, before all watches have delivered"
                    + " their initial list.",
            source = "Kubernetes: caches sync before workers start")
    void nothing_is_listed_before_the_cluster_is_known() {
        the.synced = false;
        the.pool("web", 1);
        the.service("web", 2);
        the.lead();
        the.tick();
        assertThat(the.listings).isZero();
        assertThat(the.calls()).isEmpty();

        the.synced = true;
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
    }

    @Test
    @Rule(
            id = "C03",
            says = "A listing that fails or is empty changes no pool.",
            source = "Kubernetes: never act on data that could not be read")
    void a_failed_or_empty_listing_changes_no_pool() {
        the.pool("web", 1, 2);
        the.service("web", 1, 2);
        the.listingFailure = REFUSED;
        the.lead();
        the.tick();
        assertThat(the.calls()).isEmpty();
        assertThat(the.engine.status().listing().failure()).contains(REFUSED);

        the.listingFailure = null;
        the.run(Duration.ofMinutes(2));
        assertThat(the.engine.status().listing().failure()).isEmpty();
        the.cloud.deletePool(EngineFixture.key("web"));
        the.run(Duration.ofMinutes(10));
        the.pool("web", 1, 2);
        the.run(Duration.ofMinutes(10));

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2));
        assertThat(the.writes()).isZero();
    }

    @Test
    @Rule(
            id = "C04",
            says = "While listings fail or the pool of a local Service is missing, the load balancers are"
                    + " listed again after 2 s, doubling to 60 s; a further Service with a missing pool"
                    + " restarts this at 2 s, within the limits of C60.",
            source = "ours")
    void listings_back_off() {
        the.service("web", 1);
        the.lead();
        Instant start = the.time.instant();
        assertThat(listingTimes(7)).containsExactly(0L, 2L, 6L, 14L, 30L, 62L, 122L);

        the.service("api", 1);
        the.time.advance(Duration.ofSeconds(1));
        long now = Duration.between(start, the.time.instant()).toSeconds();
        assertThat(listingTimes(3)).containsExactly(0L, 2L, 6L);
        assertThat(now).isEqualTo(123);
    }

    /** The times of the next listings in seconds from now; advances the clock to them. */
    private Long[] listingTimes(int count) {
        Long[] times = new Long[count];
        Instant start = the.time.instant();
        for (int i = 0; i < count; i++) {
            Instant next = the.engine.nextListing();
            if (next.isAfter(the.time.instant())) {
                the.time.advanceTo(next);
            }
            int before = the.listings;
            the.engine.listIfDue();
            assertThat(the.listings).isEqualTo(before + 1);
            times[i] = Duration.between(start, the.time.instant()).toSeconds();
        }
        return times;
    }

    @Test
    @Rule(
            id = "C05",
            says = "A pool that appears or moves to another load balancer is found by the next listing, or"
                    + " immediately when its Service changes.",
            source = "ours")
    void a_pool_that_moves_is_tracked() {
        the.pool("web", 1);
        the.service("web", 1);
        the.lead();
        the.tick();

        the.cloud.deletePool(EngineFixture.key("web"));
        PoolKey moved = PoolKey.of("lb-2", "shop-web");
        the.cloud.putPool(moved, AddressSet.empty());
        the.put("web", false, 7);
        the.time.advance(Duration.ofSeconds(1));
        the.engine.listIfDue();
        Ticks.of(the.engine).join();

        assertThat(the.cloud.addresses(moved)).contains(EngineFixture.addresses(1));
    }

    @ParameterizedTest
    @EnumSource(UpdateModel.class)
    @Rule(
            id = "C06",
            says = "A pool whose update exhausted its retries, or that another writer changed, is corrected by"
                    + " the next comparison of all pools, in both models; other pools are not touched.",
            source = "design document, Stale State After Retry Exhaustion")
    void a_resync_repairs_a_changed_pool(UpdateModel model) {
        the = new EngineFixture(EngineSettings.DEFAULT.withPace(Pace.TICK).withModel(model));
        the.pool("web", 1);
        the.pool("api", 5);
        the.service("web", 1);
        the.service("api", 5);
        the.lead();
        the.tick();
        assertThat(the.calls()).isEmpty();

        the.fault(FaultRule.always(409).forMethod("PUT").times(4));
        the.endpoints("web", 1, 2);
        the.run(Duration.ofMinutes(4));
        assertThat(the.reasons()).contains("shop/web FAILED");
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));

        the.run(Duration.ofMinutes(10));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2));
        assertThat(the.calls()).doesNotContain("GET shop-api");

        the.pool("web", 9);
        the.run(Duration.ofMinutes(11));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2));
    }

    @Test
    @Rule(
            id = "C07",
            says = "A standby queues nothing and writes nothing; when it becomes the leader, it finds missed"
                    + " changes by comparison.",
            source = "Kubernetes: leader election")
    void a_standby_that_becomes_leader_catches_up() {
        the.pool("web", 1);
        the.service("web", 1);
        the.run(Duration.ofMinutes(1));
        the.endpoints("web", 2);
        the.run(Duration.ofMinutes(20));
        assertThat(the.waiting()).isZero();
        assertThat(the.calls()).isEmpty();

        the.lead();
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
    }

    @Test
    @Rule(
            id = "C08",
            says = "A replica that lost leadership starts no call, even before it notices; its queue is not"
                    + " carried over to its next term.",
            source = "Kubernetes: leader election")
    void a_former_leader_starts_nothing() {
        the.pool("web", 1);
        the.service("web", 1);
        the.lead();
        the.tick();
        the.leader = false;
        the.endpoints("web", 2);
        the.tick();
        assertThat(the.calls()).isEmpty();

        the.engine.stopLeading();
        the.endpoints("web", 1);
        the.leader = true;
        the.lead();
        the.tick();
        assertThat(the.calls()).isEmpty();
    }

    @Test
    @Rule(
            id = "C09",
            says = "A changed annotation of a Service triggers an immediate comparison of its pools, within the"
                    + " limits of C60, even after a Failed event.",
            source = "design document, Event Behavior")
    void a_changed_annotation_triggers_a_comparison_at_once() {
        the.pool("web", 1);
        the.service("web", 1);
        the.lead();
        the.tick();
        the.fault(FaultRule.always(400).forMethod("PUT").times(1));
        the.endpoints("web", 2);
        the.tick();
        assertThat(the.reasons()).containsExactly("shop/web FAILED");

        the.put("web", false, 1);
        the.run(Duration.ofSeconds(31));

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
    }

    @Test
    void after_a_shutdown_nothing_is_sent() {
        the.pool("web", 1);
        the.service("web", 2);
        the.lead();
        the.engine.shutdown();
        the.lead();
        the.run(Duration.ofMinutes(1));
        assertThat(the.listings).isZero();
        assertThat(the.calls()).isEmpty();
    }
}
