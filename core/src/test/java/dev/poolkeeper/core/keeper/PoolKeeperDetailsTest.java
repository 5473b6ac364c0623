package dev.poolkeeper.core.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.keeper.KeeperStatus.PoolStatus;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PoolKeeperDetailsTest {

    private final KeeperFixture the = new KeeperFixture();

    private void web() {
        the.pool("web", 1);
        the.service("web", 1);
    }

    @Test
    void a_pause_while_a_pool_is_read_keeps_it_from_being_written() {
        web();
        the.endpoints("web", 2);
        the.keeper.startLeading();
        the.onRead = () -> the.keeper.pause(true);
        the.tick();
        assertThat(the.calls()).containsExactly("GET shop-web");
        assertThat(the.keeper.queue().size()).isEqualTo(1);
    }

    @Test
    void a_term_that_ends_while_a_pool_is_read_writes_tells_and_queues_nothing() {
        web();
        the.endpoints("web", 2);
        the.keeper.startLeading();
        the.onRead = the.keeper::stopLeading;
        the.tick();

        assertThat(the.writes()).isZero();
        assertThat(the.reasons()).isEmpty();
        the.endpoints("web", 3);
        assertThat(the.keeper.queue().isEmpty()).isTrue();
    }

    @Test
    void a_shutdown_ends_the_term_for_good() {
        web();
        the.keeper.startLeading();
        the.tick();
        assertThat(the.keeper.isServing()).isTrue();

        the.keeper.shutdown();
        assertThat(the.keeper.status().leading()).isFalse();
        assertThat(the.keeper.isServing()).isFalse();

        the.keeper.startLeading();
        assertThat(the.keeper.status().leading()).isFalse();
    }

    @Test
    void who_leads_serves_once_the_load_balancers_were_listed() {
        web();
        assertThat(the.keeper.hasListed()).isFalse();
        assertThat(the.keeper.status().nextResync()).isEmpty();
        the.keeper.startLeading();
        assertThat(the.keeper.isServing()).isFalse();
        assertThat(the.keeper.status().nextResync()).isEmpty();
        the.keeper.turn();
        assertThat(the.keeper.hasListed()).isTrue();
        assertThat(the.keeper.isServing()).isTrue();
        assertThat(the.keeper.status().leading()).isTrue();
        assertThat(the.keeper.status().nextResync())
                .contains(the.clock.instant().plus(KeeperSettings.DEFAULT.resync()));
    }

    @Test
    void whoever_waits_for_the_next_turn_is_woken_by_a_term_and_by_a_change() {
        web();
        AtomicInteger woken = new AtomicInteger();
        the.keeper.onAsked(woken::incrementAndGet);
        the.keeper.startLeading();
        assertThat(woken).hasValue(1);
        the.put("web", false, 1);
        assertThat(woken).hasValue(2);
    }

    @Test
    void a_listing_that_fails_when_pools_are_to_be_compared_puts_that_off_too() {
        web();
        the.listingFailure = Failure.ofStatus(500, null, ArmError.ofStatus(500));
        the.keeper.startLeading();
        List<Long> seconds = new ArrayList<>();
        Instant start = the.clock.instant();
        for (int i = 0; i < 4; i++) {
            the.keeper.turn();
            seconds.add(Duration.between(start, the.keeper.nextTurn()).toSeconds());
            the.clock.advanceTo(the.keeper.nextTurn());
        }
        assertThat(seconds).containsExactly(2L, 6L, 14L, 30L);

        the.listingFailure = null;
        the.keeper.turn();
        assertThat(the.keeper.status().lastResync()).contains(the.clock.instant());
    }

    @Test
    void a_shared_pool_that_holds_what_both_want_is_not_written() {
        the.cluster.put(
                new ServiceState(new ServiceName("shop-web", "a"), "LoadBalancer", "Local", List.of("IPv4"), false, 0));
        the.cluster.put(
                new EndpointSliceState("shop-web", "a-1", new ServiceName("shop-web", "a"), "IPv4", List.of("n2")));
        the.service("web-a", 1);
        the.pool("web-a", 1, 2);
        the.keeper.startLeading();
        the.tick();
        assertThat(the.writes()).isZero();
        assertThat(the.keeper.status().pools()).singleElement().satisfies(pool -> {
            assertThat(pool.services()).hasSize(2);
            assertThat(pool.wanted()).isEqualTo(KeeperFixture.addresses(1, 2));
            assertThat(pool.waiting()).isFalse();
        });
    }

    @Test
    void an_ambiguity_that_comes_back_is_told_of_again() {
        web();
        PoolKey twin = PoolKey.of("lb-2", "shop-web");
        the.keeper.startLeading();
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
    void nodes_services_and_slices_that_go_are_passed_on() {
        web();
        assertThat(the.keeper.nodeName(IpAddress.of("10.0.0.1"))).contains("n1");
        the.keeper.cluster().nodeDeleted("n1");
        assertThat(the.keeper.nodeName(IpAddress.of("10.0.0.1"))).isEmpty();

        the.pool("api", 3);
        the.service("api", 3);
        the.put("api", true, 0);
        assertThat(the.keeper.status().pausedServices()).containsExactly(new ServiceName("shop", "api"));
        the.keeper.startLeading();
        the.tick();
        assertThat(the.keeper.status().pools()).hasSize(2);
        the.keeper.cluster().serviceDeleted(new ServiceName("shop", "api"));
        assertThat(the.keeper.status().pools()).hasSize(1);
        assertThat(the.keeper.status().pausedServices()).isEmpty();
    }

    @Test
    void a_slice_that_goes_takes_its_addresses_along() {
        the.pool("web", 1, 2);
        the.service("web", 1);
        EndpointSliceState second =
                new EndpointSliceState("shop", "web-2", new ServiceName("shop", "web"), "IPv4", List.of("n2"));
        the.cluster.put(second);
        the.keeper.startLeading();
        the.tick();
        assertThat(the.calls()).isEmpty();
        the.keeper.cluster().sliceDeleted(second);
        the.tick();
        assertThat(the.held("web")).isEqualTo(KeeperFixture.addresses(1));
    }

    @Test
    void a_change_is_compared_once_and_not_at_every_listing_after_it() {
        web();
        the.keeper.startLeading();
        the.tick();
        the.put("web", false, 1);
        the.tick();
        the.cloud.putPool(KeeperFixture.key("web"), KeeperFixture.addresses(1, 9));
        the.run(Duration.ofMinutes(5));
        assertThat(the.writes()).isZero();
        the.run(Duration.ofMinutes(6));
        assertThat(the.writes()).isEqualTo(1);
    }

    @Test
    void what_a_pool_lacks_and_has_too_much_is_shown() {
        the.pool("web", 1, 2);
        the.service("web", 2, 3);
        the.keeper.turn();
        PoolStatus status = the.keeper.status().pools().get(0);
        assertThat(status.missing()).isEqualTo(KeeperFixture.addresses(3));
        assertThat(status.surplus()).isEqualTo(KeeperFixture.addresses(1));
        the.keeper.startLeading();
        the.keeper.turn();
        assertThat(the.keeper.status().pools().get(0).waiting()).isTrue();
    }
}
