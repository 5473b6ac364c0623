package dev.poolkeeper.core.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreshnessTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");

    private final FakeTime time = new FakeTime();
    private final List<Duration> written = new ArrayList<>();
    private final Pools pools = new Pools(new Freshness(time, (pool, took) -> written.add(took)), true);

    @BeforeEach
    void lead() {
        pools.measureFreshness(true);
        holds();
    }

    private static Want want(ServiceName service, String... addresses) {
        return new Want(service, POOL, AddressSet.of(addresses), true, true, true, false);
    }

    private void wants(ServiceName service, String... addresses) {
        pools.wants(want(service, addresses));
        pools.eventEnded();
    }

    private void holds(String... addresses) {
        holds(POOL, addresses);
    }

    private void holds(PoolKey pool, String... addresses) {
        pools.read(pool(pool, addresses), time.instant());
    }

    private static BackendPool pool(PoolKey key, String... addresses) {
        return new BackendPool(key, AddressSet.of(addresses), null, null);
    }

    private void pass(int seconds) {
        time.advance(Duration.ofSeconds(seconds));
    }

    private Freshness.Snapshot now() {
        return pools.freshness(time.instant());
    }

    @Test
    @Rule(
            id = "J8",
            says = "A change lasts from its event until the pool holds everything it added and nothing it"
                    + " removed. A pool's first adoption is not a change.",
            source = "ours")
    void a_change_ends_when_it_is_written() {
        wants(WEB, "10.0.0.1");
        pass(2);
        holds("10.0.0.1");
        assertThat(written).isEmpty();

        wants(WEB, "10.0.0.2");
        pass(3);
        wants(WEB, "10.0.0.2", "10.0.0.3");
        assertThat(now().oldestChange()).contains(time.instant().minusSeconds(3));
        pass(4);
        holds("10.0.0.1", "10.0.0.2", "10.0.0.3");
        assertThat(written).containsExactly(Duration.ofSeconds(4));
        pass(1);
        holds("10.0.0.2", "10.0.0.3");
        assertThat(written).containsExactly(Duration.ofSeconds(4), Duration.ofSeconds(8));
        assertThat(now().oldestChange()).isEmpty();
    }

    @Test
    @Rule(
            id = "J9",
            says = "A change is void once a later event takes back any address of it, or the last Service leaves the"
                    + " pool.",
            source = "ours")
    void a_reverted_change_does_not_count() {
        wants(WEB, "10.0.0.1");
        holds("10.0.0.1");
        wants(WEB, "10.0.0.1", "10.0.0.2");
        pass(1);
        wants(WEB, "10.0.0.1");
        pass(5);
        holds("10.0.0.1", "10.0.0.2");
        holds("10.0.0.1");
        assertThat(written).isEmpty();

        wants(WEB, "10.0.0.3");
        pools.left(WEB, POOL);
        pools.eventEnded();
        pass(1);
        holds("10.0.0.3");
        assertThat(written).isEmpty();
        assertThat(now().oldestChange()).isEmpty();
    }

    @Test
    void a_change_that_ends_at_its_own_instant_does_not_count() {
        wants(WEB, "10.0.0.1");
        holds("10.0.0.1", "10.0.0.2");
        wants(WEB, "10.0.0.1", "10.0.0.2");
        wants(WEB, "10.0.0.1", "10.0.0.2", "10.0.0.3");
        holds("10.0.0.1", "10.0.0.2", "10.0.0.3");
        assertThat(written).isEmpty();
    }

    @Test
    void an_address_that_another_service_of_the_pool_wants_is_no_change() {
        wants(WEB, "10.0.0.1");
        wants(API, "10.0.0.2");
        assertThat(now().oldestChange()).as("a further Service").isPresent();
        pass(2);
        holds("10.0.0.1", "10.0.0.2");
        assertThat(written).containsExactly(Duration.ofSeconds(2));

        wants(WEB, "10.0.0.1", "10.0.0.2");
        assertThat(now().oldestChange()).isEmpty();
    }

    @Test
    void two_services_that_one_event_changes_are_one_change() {
        wants(WEB, "10.0.0.1");
        wants(API, "10.0.0.1");
        holds("10.0.0.1");
        pools.wants(want(WEB, "10.0.0.2"));
        pools.wants(want(API, "10.0.0.2"));
        pools.eventEnded();
        pass(1);
        holds("10.0.0.2");
        assertThat(written).containsExactly(Duration.ofSeconds(1));
    }

    @Test
    @Rule(
            id = "J10",
            says = "An outage is a pool that holds none of its wanted addresses. Outages, missing and stale"
                    + " addresses are summed over time, from a pool's adoption on, while this process is the leader.",
            source = "ours")
    void outages_and_missing_and_stale_addresses_are_summed_up() {
        holds("10.0.0.9");
        wants(WEB, "10.0.0.1", "10.0.0.2");
        assertThat(now().outages()).isEqualTo(Set.of(POOL));
        pass(3);
        holds("10.0.0.1", "10.0.0.9");
        assertThat(now().outages()).isEmpty();
        pass(5);
        assertThat(now().outage()).isEqualTo(Duration.ofSeconds(3));
        assertThat(now().missingAddressTime()).isEqualTo(Duration.ofSeconds(2 * 3 + 5));
        assertThat(now().staleAddressTime()).isEqualTo(Duration.ofSeconds(3 + 5));

        pools.measureFreshness(false);
        pass(100);
        assertThat(now().missingAddressTime()).isEqualTo(Duration.ofSeconds(11));
        pools.measureFreshness(true);
        pass(1);
        assertThat(now().missingAddressTime()).isEqualTo(Duration.ofSeconds(12));
        assertThat(pools.freshness(time.instant().minusSeconds(1)).missingAddressTime())
                .isEqualTo(Duration.ofSeconds(11));
    }

    @Test
    void what_a_service_wants_before_its_adoption_is_neither_missing_nor_stale() {
        holds("10.0.0.1", "10.0.0.2");
        pools.wants(new Want(API, POOL, AddressSet.of("10.0.0.2", "10.0.0.3"), true, false, false, false));
        pools.eventEnded();
        pass(1);
        wants(WEB, "10.0.0.1");
        pass(1);
        assertThat(now().missingAddressTime()).isZero();
        assertThat(now().staleAddressTime()).isZero();
    }

    @Test
    void another_leaders_changes_do_not_count() {
        wants(WEB, "10.0.0.1");
        holds("10.0.0.1");
        wants(WEB, "10.0.0.2");
        pools.measureFreshness(false);
        pass(1);
        wants(WEB, "10.0.0.3");
        pools.measureFreshness(true);
        holds("10.0.0.3");
        assertThat(written).isEmpty();
    }

    @Test
    void a_standby_measures_no_change() {
        wants(WEB, "10.0.0.1");
        holds("10.0.0.1");
        pools.measureFreshness(false);
        wants(WEB, "10.0.0.2");
        pass(1);
        holds("10.0.0.2");
        assertThat(written).isEmpty();
    }

    @Test
    void a_change_of_an_earlier_term_is_void() {
        wants(WEB, "10.0.0.1");
        holds("10.0.0.1");
        wants(WEB, "10.0.0.2");
        pools.measureFreshness(false);
        pools.measureFreshness(true);
        pass(1);
        holds("10.0.0.2");
        assertThat(written).isEmpty();
    }

    @Test
    void a_pool_that_is_gone_holds_nothing() {
        holds("10.0.0.1");
        pools.listed(List.of(), time.instant());
        wants(WEB, "10.0.0.1");
        assertThat(now().outages()).containsExactly(POOL);

        holds("10.0.0.1");
        pools.listed(List.of(pool(POOL, "10.0.0.1")), time.instant());
        wants(WEB, "10.0.0.1", "10.0.0.2");
        assertThat(now().outages()).as("it is still there").isEmpty();
    }

    @Test
    void changes_are_void_once_no_adopted_service_is_left() {
        Want growing = new Want(API, POOL, AddressSet.of("10.0.0.3"), true, false, false, false);
        wants(WEB, "10.0.0.1");
        holds("10.0.0.1");
        wants(WEB, "10.0.0.1", "10.0.0.2");
        pools.wants(growing);
        pools.eventEnded();
        assertThat(now().oldestChange()).isPresent();
        pools.left(WEB, POOL);
        pools.eventEnded();
        assertThat(now().oldestChange()).isEmpty();

        wants(API, "10.0.0.3");
        assertThat(now().oldestChange()).as("a first adoption").isEmpty();
        wants(API, "10.0.0.4");
        pools.left(API, POOL);
        pools.eventEnded();
        pass(1);
        holds("10.0.0.4");
        assertThat(written).isEmpty();
    }

    @Test
    void a_pool_that_goes_while_one_service_leaves_and_another_joins_is_not_summed_for_ever() {
        wants(WEB, "10.0.0.1");
        pools.left(WEB, POOL);
        pools.listed(List.of(), time.instant());
        wants(API, "10.0.0.2");
        pools.left(API, POOL);
        pools.eventEnded();
        pass(5);
        assertThat(now().missingAddressTime()).isZero();
        assertThat(now().outage()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void the_oldest_change_is_that_of_whichever_pool_waits_longest(int first) {
        // given: pools in step, and a change of each, one second after the other
        List<PoolKey> keys = IntStream.range(0, 5)
                .mapToObj(i -> PoolKey.of("lb-1", "shop-" + (first + i) % 5))
                .toList();
        List.of("10.0.0.1", "10.0.0.2").forEach(address -> {
            for (PoolKey pool : keys) {
                Want want = new Want(WEB, pool, AddressSet.of(address), true, true, true, false);
                pools.wants(want);
                pools.eventEnded();
                if (address.equals("10.0.0.1")) {
                    holds(pool, address);
                }
                pass(1);
            }
        });
        // when, then: they are written one after the other
        Instant oldest = time.instant().minusSeconds(5);
        for (PoolKey pool : keys) {
            assertThat(now().oldestChange()).contains(oldest);
            holds(pool, "10.0.0.2");
            oldest = oldest.plusSeconds(1);
        }
        assertThat(now().oldestChange()).isEmpty();
    }
}
