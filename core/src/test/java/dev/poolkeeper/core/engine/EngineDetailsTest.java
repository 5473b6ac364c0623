package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EngineDetailsTest {

    private final EngineFixture the = new EngineFixture();

    private void web() {
        the.pool("web", 1);
        the.service("web", 1);
    }

    @Test
    void a_pause_while_a_pool_is_read_keeps_it_from_being_written() {
        web();
        the.endpoints("web", 2);
        the.lead();
        the.onRead = () -> the.engine.pause(true);
        the.tick();
        assertThat(the.calls()).containsExactly("GET shop-web");
        assertThat(the.waiting()).isEqualTo(1);
    }

    @Test
    void a_term_that_ends_while_a_pool_is_read_writes_reports_and_queues_nothing() {
        web();
        the.endpoints("web", 2);
        the.lead();
        the.onRead = the.engine::stopLeading;
        the.tick();

        assertThat(the.writes()).isZero();
        assertThat(the.reasons()).isEmpty();
        the.endpoints("web", 3);
        assertThat(the.waiting()).isZero();
    }

    @Test
    void a_shutdown_ends_the_term_for_good() {
        web();
        the.lead();
        the.tick();
        assertThat(the.engine.isServing()).isTrue();

        the.engine.shutdown();
        assertThat(the.engine.status().leading()).isFalse();
        assertThat(the.engine.isServing()).isFalse();

        the.lead();
        assertThat(the.engine.status().leading()).isFalse();
    }

    @Test
    void a_second_start_of_a_term_changes_nothing() {
        web();
        Term term = Term.untilEnded();
        the.engine.startLeading(term);
        the.tick();
        the.endpoints("web", 2);
        the.engine.startLeading(term);
        assertThat(the.waiting()).isEqualTo(1);
        assertThat(the.engine.isServing()).isTrue();
    }

    @Test
    void a_leader_is_serving_once_the_load_balancers_were_listed() {
        web();
        assertThat(the.engine.hasListed()).isFalse();
        assertThat(the.engine.status().listing().nextResync()).isEmpty();
        the.lead();
        assertThat(the.engine.isServing()).isFalse();
        assertThat(the.engine.status().listing().nextResync()).isEmpty();
        the.engine.listIfDue();
        assertThat(the.engine.hasListed()).isTrue();
        assertThat(the.engine.isServing()).isTrue();
        assertThat(the.engine.status().leading()).isTrue();
        assertThat(the.engine.status().leadingSince()).contains(the.time.instant());
        assertThat(the.engine.status().listing().nextResync())
                .contains(the.time.instant().plus(EngineSettings.DEFAULT.resync()));
    }

    @Test
    void comparisons_are_spread_by_a_tenth_of_their_interval() {
        web();
        the.time.willDraw(0);
        the.lead();
        the.engine.listIfDue();
        assertThat(the.engine.status().listing().nextResync())
                .contains(the.time.instant().plus(Duration.ofMinutes(9)));
    }

    @Test
    void the_caller_is_notified_when_the_next_listing_may_be_sooner() {
        web();
        AtomicInteger notified = new AtomicInteger();
        the.engine.onWake(notified::incrementAndGet);
        the.engine.step();
        the.lead();
        assertThat(notified).hasValue(1);
        the.engine.step();
        notified.set(0);
        the.engine.step();
        the.put("web", false, 1);
        assertThat(notified).hasValue(1);
    }

    @Test
    void a_listing_that_fails_when_a_comparison_is_due_defers_it_too() {
        web();
        the.listingFailure = Failure.ofStatus(500, null, ArmError.ofStatus(500));
        the.lead();
        List<Long> seconds = new ArrayList<>();
        Instant start = the.time.instant();
        for (int i = 0; i < 4; i++) {
            the.engine.listIfDue();
            seconds.add(Duration.between(start, the.engine.nextListing()).toSeconds());
            the.time.advanceTo(the.engine.nextListing());
        }
        assertThat(seconds).containsExactly(2L, 6L, 14L, 30L);

        the.listingFailure = null;
        the.engine.listIfDue();
        assertThat(the.engine.status().listing().lastResync()).contains(the.time.instant());
    }

    @Test
    void a_shared_pool_that_holds_what_both_services_want_is_not_written() {
        the.cluster.put(new ServiceState(new ServiceName("shop-web", "a"), "LoadBalancer", "Local", List.of("IPv4")));
        the.cluster.put(
                new EndpointSliceState("shop-web", "a-1", new ServiceName("shop-web", "a"), "IPv4", List.of("n2")));
        the.service("web-a", 1);
        the.pool("web-a", 1, 2);
        the.lead();
        the.tick();
        assertThat(the.writes()).isZero();
        assertThat(the.engine.status().pools()).singleElement().satisfies(pool -> {
            assertThat(pool.services()).hasSize(2);
            assertThat(pool.wanted()).isEqualTo(EngineFixture.addresses(1, 2));
            assertThat(pool.difference()).isEmpty();
        });
    }

    @Test
    void a_recurring_ambiguity_is_reported_again() {
        web();
        PoolKey twin = PoolKey.of("lb-2", "shop-web");
        the.lead();
        the.tick();
        for (int i = 1; i <= 2; i++) {
            the.cloud.putPool(twin, AddressSet.empty());
            the.run(Duration.ofMinutes(6));
            assertThat(the.reasons()).hasSize(i).containsOnly("shop/web HELD");
            the.cloud.deletePool(twin);
            the.run(Duration.ofMinutes(6));
        }
    }

    @Test
    void deleted_nodes_services_and_paused_services_show_in_the_status() {
        web();
        assertThat(the.index.nodeName(IpAddress.of("10.0.0.1"))).contains("n1");
        the.cluster.deleteNode("n1");
        assertThat(the.index.nodeName(IpAddress.of("10.0.0.1"))).isEmpty();

        the.pool("api", 3);
        the.service("api", 3);
        the.put("api", true, 0);
        the.lead();
        the.tick();
        assertThat(the.engine.status().pools()).hasSize(2);
        assertThat(the.engine.status().holds().pausedServices()).containsExactly(new ServiceName("shop", "api"));
        the.cluster.deleteService(new ServiceName("shop", "api"));
        assertThat(the.engine.status().pools()).hasSize(1);
        assertThat(the.engine.status().holds().pausedServices()).isEmpty();
    }

    @Test
    void a_deleted_slice_removes_its_addresses() {
        the.pool("web", 1, 2);
        the.service("web", 1);
        the.cluster.put(new EndpointSliceState("shop", "web-2", new ServiceName("shop", "web"), "IPv4", List.of("n2")));
        the.lead();
        the.tick();
        assertThat(the.calls()).isEmpty();
        the.cluster.deleteSlice("shop", "web-2");
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void an_edit_is_compared_once_and_not_at_every_later_listing() {
        web();
        the.lead();
        the.tick();
        the.put("web", false, 1);
        the.tick();
        the.cloud.putPool(EngineFixture.key("web"), EngineFixture.addresses(1, 9));
        the.run(Duration.ofMinutes(5));
        assertThat(the.writes()).isZero();
        the.run(Duration.ofMinutes(6));
        assertThat(the.writes()).isEqualTo(1);
    }

    @Test
    void the_status_shows_missing_and_extra_addresses_of_a_pool() {
        the.pool("web", 1, 2);
        the.service("web", 2, 3);
        the.engine.listIfDue();
        PoolStatus status = the.status("web");
        assertThat(status.missing()).isEqualTo(EngineFixture.addresses(3));
        assertThat(status.surplus()).isEqualTo(EngineFixture.addresses(1));
        the.lead();
        the.engine.listIfDue();
        assertThat(the.waiting()).isEqualTo(1);
    }

    @Test
    void the_status_shows_the_next_listing_and_never_one_in_the_past() {
        web();
        the.lead();
        assertThat(the.engine.status().listing().next()).isEqualTo(the.time.instant());

        the.engine.listIfDue();
        Instant next = the.time.instant().plus(EngineSettings.DEFAULT.directoryRefresh());
        assertThat(the.engine.status().listing().next()).isEqualTo(next);
        the.time.advanceTo(next);
        assertThat(the.engine.status().listing().next()).isEqualTo(next);
        the.time.advance(Duration.ofHours(1));
        assertThat(the.engine.status().listing().next()).isEqualTo(the.time.instant());
    }

    @Test
    void the_status_shows_the_first_and_the_last_time_that_parked_pools_wait_for() {
        List<String> names = List.of("api", "db", "web");
        for (String name : names) {
            the.pool(name, 1);
            the.service(name, 1);
        }
        the.lead();
        the.tick();
        Map<String, Integer> waits = Map.of("shop-api", 200, "shop-db", 300, "shop-web", 100);
        waits.forEach((pool, seconds) -> the.fault(FaultRule.always(429)
                .code("TooManyRequests")
                .times(1)
                .forPool(pool)
                .retryAfter(Duration.ofSeconds(seconds))));
        names.forEach(name -> the.endpoints(name, 1, 2));
        the.tick();

        Instant now = the.time.instant();
        assertThat(the.engine.status().work())
                .isEqualTo(new EngineStatus.Work(
                        3, 3, Optional.of(now.plusSeconds(100)), Optional.of(now.plusSeconds(300))));
    }
}
