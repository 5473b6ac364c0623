package dev.poolkeeper.core.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.engine.Why;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.readiness.Readiness.Reason;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of decisions, row by row. The Pod runs on {@code n1}, whose addresses are 10.0.0.1 and fd00::1. */
class ReadinessRuleTest {

    private static final Instant NOW = Instant.parse("2026-11-01T12:00:00Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(600);
    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final AddressSet V4 = AddressSet.of("10.0.0.1");
    private static final AddressSet V6 = AddressSet.of("fd00::1");
    private static final AddressSet OTHER = AddressSet.of("10.0.0.2");
    private static final AddressSet NONE = AddressSet.empty();

    private final Map<ServiceName, Set<IpFamily>> services = new HashMap<>();
    private final Map<ServiceName, List<PoolStatus>> pools = new HashMap<>();
    private final Map<IpFamily, AddressSet> node = new HashMap<>(Map.of(IpFamily.IPV4, V4, IpFamily.IPV6, V6));
    private Duration timeout = TIMEOUT;
    private Optional<String> scheduledOn = Optional.of("n1");
    private List<String> ips = List.of("10.244.0.9");
    private Optional<ReadinessCondition> condition = Optional.empty();
    private Instant firstLook = NOW;

    private Readiness decide() {
        PodState pod = new PodState(
                new PodId("shop", "web-1", "uid-1"), Map.of(), true, false, scheduledOn, ips, condition, "1");
        ReadinessRule rule = new ReadinessRule(
                timeout,
                (name, family) -> Optional.ofNullable(node.get(family)),
                service -> pools.getOrDefault(service, List.of()));
        return rule.decide(new GatedPod(pod, new TreeMap<>(services)), firstLook, NOW);
    }

    private void local(ServiceName service, IpFamily family, AddressSet held, AddressSet wanted) {
        pool(service, family, held, wanted, NONE, null, null);
    }

    private void pool(
            ServiceName service,
            IpFamily family,
            AddressSet held,
            AddressSet wanted,
            AddressSet leaving,
            Difference.@Nullable Reason difference,
            @Nullable Failure failure) {
        PoolKey key = PoolKey.of("lb-1", family.poolName(service).toString());
        KnownPool known = new KnownPool(key, held, NOW, null, false, null, null);
        Optional<Difference> why = Optional.ofNullable(difference)
                .map(reason ->
                        new Difference(why(reason, Optional.ofNullable(failure)), Optional.empty(), Optional.empty()));
        pools.computeIfAbsent(service, name -> new ArrayList<>())
                .add(new PoolStatus(key, List.of(service), wanted, true, Optional.of(known), 0, why, leaving));
    }

    private static Why why(Difference.Reason reason, Optional<Failure> failure) {
        return switch (reason) {
            case INCOMPLETE -> Why.Plain.INCOMPLETE;
            case NOT_LEADING -> Why.Plain.NOT_LEADING;
            case NOT_LISTED -> Why.Plain.NOT_LISTED;
            case IN_PROGRESS -> Why.Plain.IN_PROGRESS;
            case QUEUED -> Why.Plain.QUEUED;
            case HELD -> new Why.OnHold(new HoldCause.Paused());
            case LOCK_HELD -> new Why.LockHeld(Optional.empty());
            case PARKED -> new Why.Parked(failure);
            case RETRYING -> new Why.Retrying(failure.orElseThrow());
            case FAILED -> new Why.GaveUp(failure.orElseThrow());
            case NOT_COMPARED -> new Why.NotCompared(Optional.empty(), Optional.empty(), false);
        };
    }

    private void listed(ServiceName service, IpFamily... families) {
        services.put(service, Set.of(families));
    }

    private void waitsSince(Duration ago) {
        condition = Optional.of(new ReadinessCondition(false, "WaitingForPool", "", NOW.minus(ago)));
    }

    // --- True, InPool ---

    @Test
    @Rule(
            id = "Y1",
            says = "A Pod's readiness gate opens when each pool of its local Services holds its node for each family in"
                    + " which a slice lists the Pod, and no write is about to remove it.",
            source = "ours")
    void a_pod_is_ready_when_every_pool_of_its_services_holds_its_node() {
        listed(WEB, IpFamily.IPV4, IpFamily.IPV6);
        listed(API, IpFamily.IPV4);
        local(WEB, IpFamily.IPV4, V4, V4);
        local(WEB, IpFamily.IPV6, V6, V6);
        local(API, IpFamily.IPV4, V4.union(OTHER), V4);

        assertThat(decide()).isEqualTo(new Readiness(Reason.IN_POOL, "All 3 backend pools hold node n1"));
    }

    @ParameterizedTest
    @CsvSource({
        "a-headless, true, IN_POOL",
        "z-headless, true, IN_POOL",
        "a-headless, false, WAITING_FOR_POOL",
        "z-headless, false, WAITING_FOR_POOL"
    })
    void a_service_without_a_pool_changes_nothing_wherever_its_name_sorts(
            String other, boolean isHeld, Reason decision) {
        listed(WEB, IpFamily.IPV4);
        listed(new ServiceName("shop", other), IpFamily.IPV4);
        local(WEB, IpFamily.IPV4, isHeld ? V4 : OTHER, V4);
        assertThat(decide().reason()).isEqualTo(decision);
    }

    @Test
    void one_pool_that_lacks_the_node_keeps_the_pod_waiting() {
        listed(WEB, IpFamily.IPV4);
        listed(API, IpFamily.IPV4);
        local(WEB, IpFamily.IPV4, V4, V4);
        pool(API, IpFamily.IPV4, OTHER, V4, NONE, Difference.Reason.QUEUED, null);

        assertThat(decide())
                .isEqualTo(new Readiness(
                        Reason.WAITING_FOR_POOL,
                        "Backend pool lb-1/shop-api does not hold 10.0.0.1 of node n1 yet: an update is queued or in"
                                + " progress"));
    }

    @Test
    void a_family_without_a_slice_for_the_pod_is_not_waited_for() {
        listed(WEB, IpFamily.IPV4);
        local(WEB, IpFamily.IPV4, V4, V4);
        local(WEB, IpFamily.IPV6, NONE, NONE);

        assertThat(decide().reason()).isEqualTo(Reason.IN_POOL);
    }

    @Test
    void a_pool_that_holds_the_node_but_does_not_want_it_is_not_enough() {
        listed(WEB, IpFamily.IPV4);
        local(WEB, IpFamily.IPV4, V4, OTHER);

        assertThat(decide().reason()).isEqualTo(Reason.WAITING_FOR_POOL);
        assertThat(decide().message()).contains("lb-1/shop-web", "not wanted yet");
    }

    @Test
    void a_pool_from_which_a_pending_write_may_remove_the_node_is_not_enough() {
        listed(WEB, IpFamily.IPV4);
        pool(WEB, IpFamily.IPV4, V4, V4, V4, Difference.Reason.IN_PROGRESS, null);

        assertThat(decide().reason()).isEqualTo(Reason.WAITING_FOR_POOL);
        assertThat(decide().message()).contains("lb-1/shop-web", "may lose 10.0.0.1");
    }

    @Test
    void a_removal_of_other_addresses_is_no_reason_to_wait() {
        listed(WEB, IpFamily.IPV4);
        pool(WEB, IpFamily.IPV4, V4.union(OTHER), V4, OTHER, Difference.Reason.HELD, null);

        assertThat(decide().reason()).isEqualTo(Reason.IN_POOL);
    }

    @Test
    void a_node_with_two_addresses_of_a_family_needs_both() {
        node.put(IpFamily.IPV4, V4.union(OTHER));
        listed(WEB, IpFamily.IPV4);
        pool(WEB, IpFamily.IPV4, V4, V4.union(OTHER), NONE, Difference.Reason.QUEUED, null);

        assertThat(decide().message()).contains("does not hold 10.0.0.2 of node n1");

        pools.clear();
        pool(WEB, IpFamily.IPV4, NONE, V4.union(OTHER), NONE, Difference.Reason.QUEUED, null);
        assertThat(decide().message()).contains("does not hold 10.0.0.1, 10.0.0.2 of node n1");
    }

    // --- True, NoLocalService ---

    @Test
    @Rule(
            id = "Y2",
            says = "A Pod that no local Service selects or lists, or whose node is not eligible for any pool,"
                    + " does not wait once it is scheduled and has an IP address.",
            source = "ours")
    void a_pod_without_a_local_service_is_ready_once_it_has_an_ip() {
        listed(WEB, IpFamily.IPV4);
        assertThat(decide().reason()).isEqualTo(Reason.NO_LOCAL_SERVICE);

        ips = List.of();
        assertThat(decide()).isEqualTo(new Readiness(Reason.WAITING_FOR_POOL, "The Pod has no IP address yet"));

        scheduledOn = Optional.empty();
        assertThat(decide()).isEqualTo(new Readiness(Reason.WAITING_FOR_POOL, "The Pod is not scheduled yet"));
    }

    @Test
    void a_local_service_that_selects_the_pod_is_waited_for_until_a_slice_lists_it() {
        listed(WEB);
        local(WEB, IpFamily.IPV4, V4, V4);

        assertThat(decide())
                .isEqualTo(new Readiness(
                        Reason.WAITING_FOR_POOL, "No EndpointSlice of Service shop/web lists the Pod yet"));
    }

    // --- True, NodeNotEligible ---

    @Test
    void a_pod_on_a_node_without_addresses_does_not_wait() {
        node.put(IpFamily.IPV4, NONE);
        node.put(IpFamily.IPV6, NONE);
        local(WEB, IpFamily.IPV4, NONE, NONE);
        for (IpFamily[] families : List.of(new IpFamily[] {}, new IpFamily[] {IpFamily.IPV4})) {
            listed(WEB, families);
            assertThat(decide().reason()).isEqualTo(Reason.NODE_NOT_ELIGIBLE);
        }
    }

    @Test
    void a_family_without_an_address_on_the_node_is_skipped() {
        node.put(IpFamily.IPV6, NONE);
        listed(WEB, IpFamily.IPV4, IpFamily.IPV6);
        local(WEB, IpFamily.IPV4, V4, V4);
        local(WEB, IpFamily.IPV6, NONE, NONE);

        assertThat(decide()).isEqualTo(new Readiness(Reason.IN_POOL, "The backend pool holds node n1"));
    }

    @Test
    void an_unknown_node_is_waited_for() {
        node.clear();
        listed(WEB, IpFamily.IPV4);
        local(WEB, IpFamily.IPV4, V4, V4);

        assertThat(decide()).isEqualTo(new Readiness(Reason.WAITING_FOR_POOL, "Node n1 has not been seen yet"));
    }

    // --- True, TimedOut ---

    private void lacksItsPool() {
        listed(WEB, IpFamily.IPV4);
        pool(WEB, IpFamily.IPV4, NONE, V4, NONE, Difference.Reason.QUEUED, null);
    }

    @Test
    @Rule(
            id = "Y3",
            says = "A readiness gate opens readinessGate.timeoutInSeconds after the lastTransitionTime of its"
                    + " first False, regardless of which replica wrote it; with 0 never.",
            source = "ours")
    void a_pod_waits_no_longer_than_the_timeout() {
        lacksItsPool();
        waitsSince(TIMEOUT.minusSeconds(1));
        assertThat(decide().reason()).isEqualTo(Reason.WAITING_FOR_POOL);

        waitsSince(TIMEOUT);
        assertThat(decide().reason()).isEqualTo(Reason.TIMED_OUT);
        assertThat(decide().message()).contains("600 s", "readinessGate.timeoutInSeconds", "lb-1/shop-web");

        timeout = Duration.ZERO;
        assertThat(decide().reason()).isEqualTo(Reason.WAITING_FOR_POOL);
    }

    @Test
    void a_pod_whose_pool_has_its_node_at_the_timeout_is_ready_for_that_reason() {
        listed(WEB, IpFamily.IPV4);
        local(WEB, IpFamily.IPV4, V4, V4);
        waitsSince(TIMEOUT.multipliedBy(2));

        assertThat(decide().reason()).isEqualTo(Reason.IN_POOL);
    }

    @Test
    void an_unscheduled_pod_times_out_as_well() {
        lacksItsPool();
        scheduledOn = Optional.empty();
        waitsSince(TIMEOUT.minusSeconds(1));
        assertThat(decide().reason()).isEqualTo(Reason.WAITING_FOR_POOL);

        waitsSince(TIMEOUT);
        assertThat(decide().reason()).isEqualTo(Reason.TIMED_OUT);
    }

    @Test
    void a_pod_without_a_condition_has_not_started_to_wait() {
        lacksItsPool();

        assertThat(decide().reason()).isEqualTo(Reason.WAITING_FOR_POOL);
    }

    // --- False ---

    @ParameterizedTest
    @EnumSource(Difference.Reason.class)
    @Rule(
            id = "Y4",
            says = "While closed, a readiness gate states which pool it waits for and why: Held if a guard"
                    + " holds the update, UpdateFailed if the last attempt failed, otherwise WaitingForPool.",
            source = "ours")
    void every_reason_of_a_difference_has_its_own_message(Difference.Reason difference) {
        listed(WEB, IpFamily.IPV4);
        Failure failure = new Failure.Conflict(new ArmError(409, "Busy", "Wait.", "correlation-1"));
        pool(WEB, IpFamily.IPV4, NONE, V4, NONE, difference, failure);

        Reason expected = switch (difference) {
            case HELD -> Reason.HELD;
            case PARKED, RETRYING, FAILED -> Reason.UPDATE_FAILED;
            case INCOMPLETE, NOT_LEADING, NOT_LISTED, IN_PROGRESS, LOCK_HELD, QUEUED, NOT_COMPARED ->
                Reason.WAITING_FOR_POOL;
        };
        assertThat(decide().reason()).isEqualTo(expected);
        assertThat(decide().message())
                .startsWith("Backend pool lb-1/shop-web does not hold 10.0.0.1 of node n1 yet")
                .doesNotContain("another writer") // none is known
                .doesNotContain("correlation-1")
                .satisfies(
                        message -> assertThat(message.contains("409 Busy")).isEqualTo(expected == Reason.UPDATE_FAILED))
                .endsWith(
                        switch (difference) {
                            case HELD ->
                                "yet: All writes are paused by the configuration. Set paused to false to resume.";
                            case PARKED, RETRYING -> "); it will be retried";
                            case FAILED -> "); the next EndpointSlice event or comparison retries it";
                            case LOCK_HELD -> "yet: the resource lock is not available";
                            case INCOMPLETE -> "yet: not every EndpointSlice and node has been seen";
                            case IN_PROGRESS, QUEUED -> "yet: an update is queued or in progress";
                            case NOT_LEADING, NOT_LISTED, NOT_COMPARED -> "of node n1 yet";
                        });
    }
}
