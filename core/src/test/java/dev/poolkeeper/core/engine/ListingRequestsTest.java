package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** How many listings Services can cause, in an engine with one local Service {@code shop/web} that has its pool. */
class ListingRequestsTest {

    private static final int MINUTES = 30;

    private final EngineFixture the = new EngineFixture(EngineSettings.DEFAULT.withPace(Pace.TICK));
    private int edits;

    private static ServiceState local(ServiceName name) {
        return new ServiceState(name, "LoadBalancer", "Local", List.of("IPv4"));
    }

    private void lead() {
        the.pool("web", 1);
        the.service("web", 1);
        the.lead();
    }

    /** The number of listings while something changes ten times a second. */
    private int listingsWhile(Runnable change) {
        int before = the.listings;
        for (int i = 0; i < MINUTES * 600; i++) {
            change.run();
            the.time.advance(Duration.ofMillis(100));
            the.engine.listIfDue();
        }
        return the.listings - before;
    }

    private void edit(ServiceName service) {
        the.index.serviceChanged(local(service).withAnnotations(Map.of("example/revision", Integer.toString(edits++))));
    }

    @Test
    @Rule(
            id = "C60",
            says = "A Service that changes makes the load balancers be listed at once, four times in a row and then"
                    + " every 30 s; the Services of a namespace together 20 times and then every 10 s.",
            source = "ours")
    void a_service_that_changes_in_a_loop_is_listed_for_twice_a_minute() {
        lead();

        assertThat(listingsWhile(() -> edit(new ServiceName("shop", "web")))).isLessThan(2 * MINUTES + 15);
    }

    @Test
    void many_services_of_a_namespace_that_change_are_listed_for_six_times_a_minute() {
        lead();

        assertThat(listingsWhile(() -> edit(new ServiceName("shop", "web-" + edits % 500))))
                .isLessThan(6 * MINUTES + 30);
    }

    @Test
    void services_that_come_and_go_under_ever_new_names_are_listed_for_a_bounded_number_of_times() {
        lead();

        assertThat(listingsWhile(() -> {
                    ServiceName name = new ServiceName("bank", "web-" + edits);
                    edit(name);
                    if (edits % 2 == 0) {
                        the.index.serviceDeleted(name);
                    }
                }))
                .isLessThan(10 * MINUTES);
    }

    @Test
    void a_service_whose_policy_toggles_is_listed_for_a_bounded_number_of_times() {
        lead();
        ServiceName name = new ServiceName("bank", "web");
        IntFunction<ServiceState> states =
                i -> i % 2 == 0 ? local(name) : new ServiceState(name, "LoadBalancer", "Cluster", List.of("IPv4"));

        assertThat(listingsWhile(() -> the.index.serviceChanged(states.apply(edits++))))
                .isLessThan(6 * MINUTES);
    }

    @Test
    void a_change_in_another_namespace_is_answered_at_once_all_the_same() {
        lead();
        listingsWhile(() -> edit(new ServiceName("bank", "web-" + edits)));
        ServiceName name = new ServiceName("shop", "new");
        the.cloud.putPool(PoolKey.of("lb-1", IpFamily.IPV4.poolName(name).toString()), AddressSet.empty());
        Instant begun = the.time.instant();

        edit(name);

        assertThat(the.engine.nextListing()).isBefore(begun.plusSeconds(2));
    }

    @Test
    void a_quiet_service_may_ask_again_at_once_later() {
        ListingRequests requests = new ListingRequests();
        ServiceName name = new ServiceName("shop", "web");
        Instant now = Instant.EPOCH;
        for (int i = 0; i < 4; i++) {
            requests.ask(name, now);
            assertThat(requests.due()).isEqualTo(now);
            requests.begins(now);
        }
        requests.ask(name, now);
        assertThat(requests.due()).isEqualTo(now.plusSeconds(30));

        requests.begins(now.plusSeconds(29));
        Instant later = now.plusSeconds(600);
        requests.ask(name, later);

        assertThat(requests.due()).isEqualTo(later);
    }
}
