package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.core.engine.Difference.Reason;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is reported of Services of two namespaces that share a pool, and of a Service with pools of two families. */
class SharedReportsTest {

    /** The first by name, and the second. */
    private static final ServiceName FIRST = new ServiceName("prod-shop", "web");

    private static final ServiceName SECOND = new ServiceName("prod", "shop-web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "prod-shop-web");

    private EngineFixture the = new EngineFixture();

    private void share() {
        the.cloud.putPool(POOL, EngineFixture.addresses(1, 2));
        the.put(FIRST, false, 0);
        the.put(SECOND, false, 0);
        the.endpoints(FIRST, 1);
        the.endpoints(SECOND, 2);
        the.lead();
        the.tick();
        assertThat(status().difference()).isEmpty();
        assertThat(status().isInStep()).isTrue();
    }

    private PoolStatus status() {
        return the.engine.status().pools().stream()
                .filter(pool -> pool.pool().equals(POOL))
                .findFirst()
                .orElseThrow();
    }

    private Reason reason() {
        return status().difference().map(Difference::reason).orElse(null);
    }

    private static ServiceName service(int number) {
        return number == 1 ? FIRST : SECOND;
    }

    /** The reason of a pool in which only one of the two Services has it. */
    @ParameterizedTest
    @CsvSource({
        "1, FAILED", "2, FAILED",
        "1, RETRYING", "2, RETRYING",
        "1, PARKED", "2, PARKED",
        "1, QUEUED", "2, QUEUED",
        "1, HELD", "2, HELD",
        "1, LOCK_HELD", "2, LOCK_HELD",
        "1, IN_PROGRESS", "2, IN_PROGRESS",
        "1, NOT_COMPARED", "2, NOT_COMPARED",
        "1, NOT_LEADING", "2, NOT_LEADING"
    })
    @Rule(
            id = "C95",
            says = "What a pool waits for is reported whichever of the Services that share it is the cause.",
            source = "ours")
    void each_reason_is_found_for_each_service(int number, Reason reason) {
        share();
        Reason[] duringRead = new Reason[1];
        switch (reason) {
            case FAILED -> the.fault(FaultRule.always(400).times(1));
            case RETRYING -> the.fault(FaultRule.always(409));
            case PARKED -> the.fault(FaultRule.always(429).retryAfter(Duration.ofMinutes(7)));
            case HELD -> the.put(service(number), true, 1);
            case LOCK_HELD -> the.resourceLock.takeAway();
            case IN_PROGRESS -> the.onRead = () -> duringRead[0] = reason();
            case NOT_LEADING -> the.engine.stopLeading();
            case NOT_COMPARED -> the.fault(FaultRule.always(404).times(1));
            case QUEUED, INCOMPLETE, NOT_LISTED -> {}
        }
        the.endpoints(service(number), 7);
        if (reason != Reason.QUEUED) {
            the.tick();
        }
        assertThat(duringRead[0] == null ? reason() : duringRead[0]).isEqualTo(reason);
        assertThat(status().services()).containsExactly(FIRST, SECOND);
        assertThat(the.engine.status().pools()).as("counted once").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_write_that_keeps_the_pool_from_being_emptied_is_reported(int number) {
        share();
        the.cloud.putPool(POOL, EngineFixture.addresses(number)); // another writer removed the other one's
        the.events.clear();
        the.endpoints(service(number));
        the.tick();
        assertThat(the.cloud.addresses(POOL)).contains(EngineFixture.addresses(3 - number));
        assertThat(the.events.events()).extracting(ServiceEvent::reason).containsExactly(ServiceEvent.Reason.UPDATED);
        assertThat(status().isInStep()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_pool_is_incomplete_if_one_of_its_services_is(int number) {
        the.cloud.putPool(POOL, EngineFixture.addresses(1, 2, 3));
        the.put(FIRST, false, 0);
        the.put(SECOND, false, 0);
        the.endpoints(service(number), 1, 999);
        the.endpoints(service(3 - number), 2);
        the.lead();
        the.tick();
        assertThat(status().adopted()).isFalse();
        assertThat(status().wanted()).isEqualTo(EngineFixture.addresses(1, 2));
        assertThat(status().isInStep()).isFalse();
        the.time.advance(Duration.ofMinutes(1));
        the.index.endWaits();
        the.tick();
        assertThat(status().adopted()).isTrue();
        assertThat(status().isInStep()).isTrue();
    }

    /** Which Services get an Event if one changed, and if both did. */
    @ParameterizedTest
    @CsvSource({
        "UPDATED, 0",
        "RETRYING, 409",
        "FAILED, 400",
    })
    @Rule(
            id = "C96",
            says = "An outcome is reported on each Service whose change the update carried, and on no other.",
            source = "ours")
    void an_outcome_is_reported_on_each_service_that_changed(ServiceEvent.Reason reason, int status) {
        share();
        if (status > 0) {
            the.fault(FaultRule.always(status).times(3));
        }
        the.endpoints(SECOND, 7);
        the.tick();
        assertThat(the.reasons()).containsExactly(SECOND + " " + reason.name());

        the.events.clear();
        the.endpoints(FIRST, 8);
        the.endpoints(SECOND, 9);
        the.tick();
        assertThat(the.reasons()).containsExactlyInAnyOrder(FIRST + " " + reason.name(), SECOND + " " + reason.name());
        assertThat(the.events.events())
                .allSatisfy(event -> assertThat(event.pool()).isEqualTo(POOL));
    }

    @Test
    void giving_up_is_reported_on_both_and_counted_for_each() {
        share();
        the.fault(FaultRule.always(409));
        the.endpoints(FIRST, 8);
        the.tick();
        the.endpoints(SECOND, 9);
        the.run(Duration.ofMinutes(3));
        assertThat(the.reasons())
                .filteredOn(event -> event.endsWith("FAILED"))
                .containsExactly(FIRST + " FAILED", SECOND + " FAILED");
    }

    /** Each cause of a hold that is reported on Services. */
    @ParameterizedTest
    @ValueSource(strings = {"SAFETY_BRAKE", "FORBIDDEN", "DRIFT", "RETRY_BUDGET", "SERVICE_PAUSE"})
    void a_hold_is_reported_once_on_each_service_that_it_holds_back(String cause) {
        switch (cause) {
            case "SAFETY_BRAKE" -> {
                the.cloud.putPool(POOL, EngineFixture.addresses(EngineFixture.range(1, 60)));
                the.put(FIRST, false, 0);
                the.put(SECOND, false, 0);
                the.endpoints(FIRST, EngineFixture.range(1, 30));
                the.endpoints(SECOND, EngineFixture.range(31, 60));
                the.lead();
                the.tick();
                the.endpoints(FIRST, 1);
                the.endpoints(SECOND, 31);
                the.run(Duration.ofMinutes(3));
            }
            case "FORBIDDEN" -> {
                share();
                the.fault(FaultRule.always(403).times(1));
                the.endpoints(FIRST, 6);
                the.tick();
                the.endpoints(FIRST, 7);
                the.endpoints(SECOND, 8);
                the.tick();
            }
            case "DRIFT" -> {
                share();
                for (int i = 0; i < 6; i++) {
                    the.endpoints(FIRST, 11 + i);
                    the.endpoints(SECOND, 31 + i);
                    the.tick();
                    the.cloud.putPool(POOL, EngineFixture.addresses(1, 2));
                    the.run(Duration.ofMinutes(10));
                }
                the.endpoints(FIRST, 3);
                the.endpoints(SECOND, 4);
                the.tick();
            }
            case "RETRY_BUDGET" -> {
                UpdateFixture f = new UpdateFixture(
                        EngineSettings.DEFAULT.withPace(Pace.TICK),
                        builder -> builder.budgetAcrossTicks(RetryBudget.NONE),
                        UnaryOperator.identity());
                f.cloud.putPool(POOL, EngineFixture.addresses());
                f.engine.askForListing();
                f.engine.listIfDue();
                f.fault(FaultRule.always(409));
                f.want(FIRST, POOL, "10.0.0.1");
                f.want(SECOND, POOL, "10.0.0.2");
                f.tick();
                f.tick();
                assertThat(f.reasons())
                        .filteredOn(event -> event.endsWith("HELD"))
                        .containsExactly(FIRST + " HELD", SECOND + " HELD");
                return;
            }
            default -> {
                share();
                the.put(SECOND, true, 1);
                the.endpoints(SECOND, 7);
                the.run(Duration.ofMinutes(3));
            }
        }
        assertThat(the.reasons())
                .filteredOn(event -> event.endsWith(" HELD"))
                .filteredOn(event -> event.startsWith("prod/shop-web") || event.startsWith("prod-shop"))
                .containsExactlyInAnyOrder(FIRST + " HELD", SECOND + " HELD");
    }

    private static List<EngineSettings> settings() {
        return List.of(
                EngineSettings.DEFAULT.withPace(Pace.TICK),
                EngineSettings.DEFAULT.withPace(Pace.TICK).withModel(UpdateModel.DIFF),
                EngineSettings.DEFAULT.withPace(Pace.Eager.DEFAULT));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void a_hold_that_ended_with_its_term_is_reported_anew(EngineSettings settings) {
        the = new EngineFixture(settings);
        share();
        the.put(SECOND, true, 1);
        the.endpoints(SECOND, 7);
        the.tick();
        the.tick();
        assertThat(reason()).isEqualTo(Reason.HELD);
        the.events.clear();
        the.engine.stopLeading();
        the.endpoints(SECOND, 2); // as it was: nothing is to be done in the next term
        the.lead();
        the.run(Duration.ofMinutes(3));
        assertThat(reason()).isNull();
        // when
        the.endpoints(SECOND, 8);
        Instant changed = the.time.instant();
        the.tick();
        the.tick();
        // then
        assertThat(reason()).isEqualTo(Reason.HELD);
        assertThat(status().difference().orElseThrow().since().orElseThrow()).isAfterOrEqualTo(changed);
        assertThat(the.reasons()).containsExactlyInAnyOrder(FIRST + " HELD", SECOND + " HELD");
    }

    @Test
    void a_service_that_leaves_the_pool_does_not_end_a_hold_of_the_other() {
        share();
        the.put(SECOND, true, 1);
        the.endpoints(SECOND, 7);
        the.tick();
        Instant since = status().difference().orElseThrow().since().orElseThrow();
        the.events.clear();
        // when
        the.cluster.deleteService(FIRST);
        the.run(Duration.ofMinutes(3));
        // then
        assertThat(reason()).isEqualTo(Reason.HELD);
        assertThat(status().difference().orElseThrow().since()).contains(since);
        assertThat(the.reasons()).isEmpty();
        // when it comes back
        the.put(FIRST, false, 3);
        the.run(Duration.ofMinutes(3));
        // then
        assertThat(the.reasons()).containsExactly(FIRST + " HELD");
    }

    @Test
    void each_paused_service_of_a_pool_is_listed() {
        share();
        the.put(FIRST, true, 1);
        the.put(SECOND, true, 1);
        assertThat(the.engine.status().holds().pausedServices()).containsExactly(FIRST, SECOND);
        the.put(FIRST, false, 2);
        assertThat(the.engine.status().holds().pausedServices()).containsExactly(SECOND);
        the.put(SECOND, false, 2);
        assertThat(the.engine.status().holds().pausedServices()).isEmpty();
    }

    /** Whatever becomes of one Service, the report of the pool is about the other. */
    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "C97",
            says = "Whatever becomes of one Service of a shared pool, the pool's status shows the other one with what"
                    + " it wants, and Events about the other's updates go on.",
            source = "ours")
    void the_report_is_about_the_other_service_whatever_becomes_of_one(Becomes state) {
        for (int number : new int[] {1, 2}) {
            the = new EngineFixture();
            share();
            ServiceName one = service(number);
            ServiceName other = service(3 - number);
            state.happensTo(one, the);
            the.run(Duration.ofMinutes(2));
            the.events.clear();
            // when
            the.endpoints(other, 5);
            the.tick();
            // then
            assertThat(the.reasons())
                    .filteredOn(event -> event.startsWith(other + " "))
                    .containsExactly(other + " UPDATED");
            assertThat(status().services()).contains(other);
            assertThat(status().services().contains(one)).isEqualTo(state.stays);
            assertThat(status().wanted().common(EngineFixture.addresses(5))).isEqualTo(1);
            assertThat(status().missing())
                    .isEqualTo(state == Becomes.PAUSED ? EngineFixture.addresses(7) : EngineFixture.addresses());
            assertThat(the.engine.status().listing().withoutPool()).isEmpty();
            assertThat(the.engine.status().listing().ambiguous()).isEmpty();
        }
    }

    /** What can become of a Service. */
    enum Becomes {
        OF_ANOTHER_CLASS(false) {
            @Override
            void happensTo(ServiceName one, EngineFixture the) {
                the.cluster.put(new ServiceState(
                        one, "LoadBalancer", "Local", List.of("IPv4"), "service.k8s.aws/nlb", null, Map.of()));
            }
        },
        OF_ANOTHER_TYPE(false) {
            @Override
            void happensTo(ServiceName one, EngineFixture the) {
                the.cluster.put(new ServiceState(one, "ClusterIP", "Local", List.of("IPv4")));
            }
        },
        NOT_LOCAL(false) {
            @Override
            void happensTo(ServiceName one, EngineFixture the) {
                the.cluster.put(new ServiceState(one, "LoadBalancer", "Cluster", List.of("IPv4")));
            }
        },
        DELETED(false) {
            @Override
            void happensTo(ServiceName one, EngineFixture the) {
                the.cluster.deleteService(one);
            }
        },
        PAUSED(true) {
            @Override
            void happensTo(ServiceName one, EngineFixture the) {
                the.put(one, true, 1);
                the.endpoints(one, 7);
            }
        },
        WITHOUT_ENDPOINTS(true) {
            @Override
            void happensTo(ServiceName one, EngineFixture the) {
                the.endpoints(one);
            }
        },
        INCOMPLETE(true) {
            @Override
            void happensTo(ServiceName one, EngineFixture the) {
                the.endpoints(one, 3, 999);
            }
        },
        ANNOTATED(true) {
            @Override
            void happensTo(ServiceName one, EngineFixture the) {
                the.put(one, false, 99);
            }
        };

        final boolean stays;

        Becomes(boolean stays) {
            this.stays = stays;
        }

        abstract void happensTo(ServiceName one, EngineFixture the);

        static ServiceState local(ServiceName name) {
            return new ServiceState(name, "LoadBalancer", "Local", List.of("IPv4"));
        }
    }

    // --- one Service with pools on two load balancers ---

    private static final ServiceName DUAL = new ServiceName("shop", "dual");
    private static final PoolKey IPV4 = PoolKey.of("lb-1", "shop-dual");
    private static final PoolKey IPV6 = PoolKey.of("lb-2", "shop-dual-ipv6");

    private void dualStack(int node) {
        the.cluster.put(new EndpointSliceState("shop", "dual-4", DUAL, "IPv4", List.of("d" + node)));
        the.cluster.put(new EndpointSliceState("shop", "dual-6", DUAL, "IPv6", List.of("d" + node)));
    }

    private void dualStack() {
        for (int i = 1; i <= 3; i++) {
            the.cluster.put(new NodeState("d" + i, Map.of(), List.of("10.1.0." + i, "fd00::" + i)));
        }
        the.cloud.putPool(IPV4, EngineFixture.addresses());
        the.cloud.putPool(IPV6, EngineFixture.addresses());
        the.cluster.put(new ServiceState(DUAL, "LoadBalancer", "Local", List.of("IPv4", "IPv6")));
        dualStack(1);
        the.lead();
        the.tick();
        assertThat(the.engine.status().pools()).allMatch(PoolStatus::isInStep).hasSize(2);
        the.events.clear();
    }

    @ParameterizedTest
    @CsvSource({"lb-1, lb-2", "lb-2, lb-1"})
    void what_one_load_balancer_answers_is_reported_of_its_pool_only(String failing, String other) {
        dualStack();
        the.fault(FaultRule.always(400).forLoadBalancer(failing));
        dualStack(2);
        the.tick();

        assertThat(the.engine.status().pools()).hasSize(2).allSatisfy(pool -> {
            boolean fails = pool.pool().loadBalancer().toString().equals(failing);
            assertThat(pool.difference().map(Difference::reason))
                    .isEqualTo(fails ? Optional.of(Reason.FAILED) : Optional.empty());
            assertThat(pool.services()).containsExactly(DUAL);
            assertThat(pool.known().orElseThrow().lastCall().failure().isPresent())
                    .isEqualTo(fails);
        });
        assertThat(the.events.events())
                .extracting(event ->
                        event.pool().loadBalancer() + " " + event.reason().name())
                .containsExactlyInAnyOrder(failing + " FAILED", other + " UPDATED");
        assertThat(the.engine.status().outages()).isEqualTo(1);
    }

    @Test
    void a_failed_event_about_one_pool_queues_only_that_pool_again() {
        dualStack();
        the.fault(FaultRule.always(400).forLoadBalancer("lb-2").times(1));
        dualStack(2);
        the.tick();
        int calls = the.cloud.calls().size();
        the.cluster.put(new EndpointSliceState("shop", "dual-7", DUAL, "IPv4", List.of("d2"))); // changes nothing
        the.tick();
        assertThat(the.callsSince(calls))
                .extracting(call -> call.method() + " " + call.pool().loadBalancer())
                .containsExactly("GET lb-2", "PUT lb-2");
    }

    /**
     * What a Service with two pools says of itself, and the reason why both of them wait then, if they stay its own.
     */
    private enum Said {
        PAUSED(Reason.HELD),
        OF_ANOTHER_TYPE(null),
        NOT_LOCAL(null),
        DELETED(null);

        private final @Nullable Reason reason;

        Said(@Nullable Reason reason) {
            this.reason = reason;
        }

        void by(ServiceName name, long fingerprint, EngineFixture the) {
            if (this == DELETED) {
                the.cluster.deleteService(name);
            } else {
                the.cluster.put(new ServiceState(
                        name,
                        this == OF_ANOTHER_TYPE ? "ClusterIP" : "LoadBalancer",
                        this == NOT_LOCAL ? "Cluster" : "Local",
                        List.of("IPv4", "IPv6"),
                        null,
                        null,
                        this == PAUSED,
                        fingerprint,
                        Map.of()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_a_service_says_counts_for_both_of_its_pools_and_is_told_once(Said said) {
        dualStack();
        for (int i = 0; i < 2; i++) {
            // when
            said.by(DUAL, 2 * i + 1, the);
            dualStack(2);
            the.run(Duration.ofMinutes(3));
            // then
            assertHeld("10.1.0.1", "fd00::1");
            assertThat(the.engine.status().pools())
                    .hasSize(said.reason == null ? 0 : 2)
                    .allSatisfy(pool -> assertThat(pool.difference().map(Difference::reason))
                            .contains(Objects.requireNonNull(said.reason)));
            assertThat(the.engine.status().holds().pausedServices())
                    .isEqualTo(said == Said.PAUSED ? List.of(DUAL) : List.of());
            // and when it takes that back
            the.cluster.put(new ServiceState(
                    DUAL, "LoadBalancer", "Local", List.of("IPv4", "IPv6"), null, null, false, 2 * i + 2, Map.of()));
            the.run(Duration.ofMinutes(3));
            // then
            assertHeld("10.1.0.2", "fd00::2");
            assertThat(the.engine.status().holds().pausedServices()).isEmpty();
            // and once more
            dualStack(1);
            the.run(Duration.ofMinutes(3));
            assertHeld("10.1.0.1", "fd00::1");
        }
    }

    private void assertHeld(String fourth, String sixth) {
        assertThat(the.cloud.addresses(IPV4)).contains(AddressSet.of(fourth));
        assertThat(the.cloud.addresses(IPV6)).contains(AddressSet.of(sixth));
    }

    // --- names that collide or are ambiguous, of two namespaces ---

    @Test
    void each_service_with_an_ambiguous_name_is_listed() {
        the.cloud.putPool(POOL, EngineFixture.addresses());
        the.cloud.putPool(PoolKey.of("lb-2", "prod-shop-web"), EngineFixture.addresses());
        the.put(FIRST, false, 0);
        the.put(SECOND, false, 0);
        the.endpoints(FIRST, 1);
        the.endpoints(SECOND, 2);
        the.lead();
        the.tick();

        assertThat(the.engine.status().listing().ambiguous())
                .extracting(AmbiguousPool::service)
                .containsExactly(FIRST, SECOND);
        assertThat(the.engine.status().listing().ambiguous())
                .allSatisfy(one -> assertThat(one.places()).hasSize(2))
                .allSatisfy(one -> assertThat(one.maintained()).isEmpty());
        assertThat(the.engine.status().pools()).isEmpty();
        assertThat(the.engine.status().listing().withoutPool()).isEmpty();
        assertThat(the.reasons()).containsExactlyInAnyOrder(FIRST + " HELD", SECOND + " HELD");
    }

    @Test
    void each_service_without_a_pool_is_listed_once() {
        the.cluster.put(new ServiceState(DUAL, "LoadBalancer", "Local", List.of("IPv4", "IPv6")));
        the.put(FIRST, false, 0);
        the.put(SECOND, false, 0);
        the.lead();
        the.tick();
        assertThat(the.engine.status().listing().withoutPool()).containsExactly(FIRST, SECOND, DUAL);
    }

    @Test
    void a_service_that_is_not_served_is_named_with_the_one_that_is() {
        Instant old = Instant.parse("2026-01-01T00:00:00Z");
        the.cloud.putPool(PoolKey.of("lb-1", "shop-web-ipv6"), EngineFixture.addresses());
        ServiceName plain = new ServiceName("shop", "web-ipv6");
        ServiceName sixth = new ServiceName("shop", "web");
        the.cluster.put(new ServiceState(sixth, "LoadBalancer", "Local", List.of("IPv6"), null, old, Map.of()));
        the.cluster.put(
                new ServiceState(plain, "LoadBalancer", "Local", List.of("IPv4"), null, old.plusSeconds(1), Map.of()));
        the.lead();
        the.tick();
        assertThat(the.engine.status().listing().clashes())
                .containsExactly(new FamilyClash(plain, PoolKey.of("lb-1", "shop-web-ipv6"), IpFamily.IPV4, sixth));
    }

    @Test
    void a_service_that_is_not_served_is_notified_once_until_it_was_served() {
        Instant old = Instant.parse("2026-01-01T00:00:00Z");
        the.cloud.putPool(PoolKey.of("lb-1", "shop-web-ipv6"), EngineFixture.addresses());
        ServiceName plain = new ServiceName("shop", "web-ipv6");
        ServiceName sixth = new ServiceName("shop", "web");
        the.cluster.put(
                new ServiceState(plain, "LoadBalancer", "Local", List.of("IPv4"), null, old.plusSeconds(1), Map.of()));
        the.lead();
        for (int i = 1; i <= 2; i++) {
            the.cluster.put(new ServiceState(sixth, "LoadBalancer", "Local", List.of("IPv6"), null, old, Map.of()));
            int listings = the.listings;
            the.run(Duration.ofMinutes(12));
            assertThat(the.listings).isGreaterThan(listings + 1);
            assertThat(the.reasons()).hasSize(i).containsOnly(plain + " HELD");
            the.cluster.deleteService(sixth);
            the.run(Duration.ofMinutes(6));
        }
    }
}
