package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Unwritable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever begins and then goes back to exactly what it was: nothing of it stays in the status or in the pools. */
class UndoneTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final PoolKey TWIN = PoolKey.of("lb-2", "shop-web");

    private final EngineFixture the =
            new EngineFixture(EngineSettings.DEFAULT.withPace(Pace.TICK).withResync(Duration.ofMinutes(10)));

    private void inStep() {
        the.pool("web", EngineFixture.range(1, 30));
        the.pool("api", 1, 2);
        the.service(WEB, EngineFixture.range(1, 30));
        the.service(API, 1, 2);
        the.lead();
        the.run(Duration.ofMinutes(1));
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() {
        EngineStatus status = the.engine.status();
        assertThat(status.pools()).hasSize(2).allSatisfy(pool -> {
            assertThat(pool.isInStep()).as(pool.toString()).isTrue();
            assertThat(pool.difference()).isEmpty();
            assertThat(pool.missing()).isEmpty();
            assertThat(pool.surplus()).isEmpty();
            assertThat(pool.leaving()).isEmpty();
            assertThat(pool.attempts()).isZero();
            assertThat(pool.known().orElseThrow().provisioning()).isEqualTo(ProvisioningState.SUCCEEDED);
        });
        assertThat(status.leading()).isTrue();
        assertThat(status.listing().failure()).isEmpty();
        assertThat(status.listing().withoutPool()).isEmpty();
        assertThat(status.listing().ambiguous()).isEmpty();
        assertThat(status.listing().clashes()).isEmpty();
        assertThat(status.work()).isEqualTo(new EngineStatus.Work(0, 0, Optional.empty(), Optional.empty()));
        assertThat(status.holds()).isEqualTo(new EngineStatus.Holds(false, List.of(), List.of(), Map.of(), List.of()));
        assertThat(status.outages()).isZero();
        Freshness.Snapshot freshness = status.freshness();
        assertThat(freshness.outages()).isEmpty();
        assertThat(freshness.oldestChange()).isEmpty();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.range(1, 30)));
        assertThat(the.held("api")).isEqualTo(EngineFixture.addresses(1, 2));
    }

    /** What can begin and end. */
    enum Undone {
        A_SERVICE_IS_DELETED {
            @Override
            void begins(EngineFixture the) {
                the.cluster.deleteService(API);
            }

            @Override
            void ends(EngineFixture the) {
                the.put(API, false, 0);
            }
        },
        A_SERVICE_IS_OF_ANOTHER_TYPE {
            @Override
            void begins(EngineFixture the) {
                the.cluster.put(new ServiceState(API, "ClusterIP", null, List.of("IPv4")));
            }

            @Override
            void ends(EngineFixture the) {
                the.put(API, false, 0);
            }
        },
        A_SERVICE_IS_OF_A_CLASS {
            @Override
            void begins(EngineFixture the) {
                the.cluster.put(
                        new ServiceState(API, "LoadBalancer", "Local", List.of("IPv4"), "other", null, Map.of()));
            }

            @Override
            void ends(EngineFixture the) {
                the.put(API, false, 0);
            }
        },
        A_SERVICE_IS_PAUSED {
            @Override
            void begins(EngineFixture the) {
                the.put(API, true, 1);
                the.endpoints(API, 5);
            }

            @Override
            void ends(EngineFixture the) {
                the.put(API, false, 0);
                the.endpoints(API, 1, 2);
            }
        },
        ALL_WRITES_ARE_PAUSED {
            @Override
            void begins(EngineFixture the) {
                the.engine.pause(true);
                the.endpoints(API, 5);
            }

            @Override
            void ends(EngineFixture the) {
                the.engine.pause(false);
                the.endpoints(API, 1, 2);
            }
        },
        SLICES_ARE_EMPTY {
            @Override
            void begins(EngineFixture the) {
                the.endpoints(API);
            }

            @Override
            void ends(EngineFixture the) {
                the.endpoints(API, 1, 2);
            }
        },
        SLICES_ARE_DELETED {
            @Override
            void begins(EngineFixture the) {
                the.cluster.deleteSlice("shop", "api-1");
            }

            @Override
            void ends(EngineFixture the) {
                the.endpoints(API, 1, 2);
            }
        },
        A_SLICE_NAMES_AN_UNKNOWN_NODE {
            @Override
            void begins(EngineFixture the) {
                the.endpoints(API, 1, 2, 999);
            }

            @Override
            void ends(EngineFixture the) {
                the.endpoints(API, 1, 2);
            }
        },
        ONLY_AN_UNKNOWN_NODE {
            @Override
            void begins(EngineFixture the) {
                the.endpoints(API, 999);
            }

            @Override
            void ends(EngineFixture the) {
                the.endpoints(API, 1, 2);
            }
        },
        A_NODE_IS_DELETED {
            @Override
            void begins(EngineFixture the) {
                the.cluster.deleteNode("n1");
            }

            @Override
            void ends(EngineFixture the) {
                the.node(1);
            }
        },
        A_NODE_IS_EXCLUDED {
            @Override
            void begins(EngineFixture the) {
                the.exclude(1);
            }

            @Override
            void ends(EngineFixture the) {
                the.node(1);
            }
        },
        A_NODE_HAS_ANOTHER_ADDRESS {
            @Override
            void begins(EngineFixture the) {
                the.cluster.put(new NodeState("n1", Map.of(), List.of("10.0.1.1")));
            }

            @Override
            void ends(EngineFixture the) {
                the.node(1);
            }
        },
        A_NODE_HAS_NO_ADDRESS {
            @Override
            void begins(EngineFixture the) {
                the.cluster.put(new NodeState("n1", Map.of(), List.of()));
            }

            @Override
            void ends(EngineFixture the) {
                the.node(1);
            }
        },
        A_MASS_REMOVAL {
            @Override
            void begins(EngineFixture the) {
                the.endpoints(WEB, 1);
            }

            @Override
            void ends(EngineFixture the) {
                the.endpoints(WEB, EngineFixture.range(1, 30));
            }
        },
        ANOTHER_WRITER {
            @Override
            void begins(EngineFixture the) {
                the.pool("api", 1, 2, 50);
            }

            @Override
            void ends(EngineFixture the) {
                the.pool("api", 1, 2);
            }
        },
        A_POOL_IS_DELETED {
            @Override
            void begins(EngineFixture the) {
                the.cloud.deletePool(EngineFixture.key("api"));
            }

            @Override
            void ends(EngineFixture the) {
                the.pool("api", 1, 2);
            }
        },
        A_NAME_IS_AMBIGUOUS {
            @Override
            void begins(EngineFixture the) {
                the.cloud.putPool(TWIN, EngineFixture.addresses(7));
            }

            @Override
            void ends(EngineFixture the) {
                the.cloud.deletePool(TWIN);
            }
        },
        ANOTHER_SERVICE_ASKS_FOR_A_POOL_IN_THE_OTHER_FAMILY {
            @Override
            void begins(EngineFixture the) {
                the.cloud.putPool(PoolKey.of("lb-1", "shop-web-ipv6"), AddressSet.empty());
                the.cluster.put(new ServiceState(
                        new ServiceName("shop", "web-ipv6"), "LoadBalancer", "Local", List.of("IPv4")));
                the.cluster.put(new ServiceState(WEB, "LoadBalancer", "Local", List.of("IPv4", "IPv6")));
            }

            @Override
            void ends(EngineFixture the) {
                the.cluster.deleteService(new ServiceName("shop", "web-ipv6"));
                the.put(WEB, false, 0);
                the.cloud.deletePool(PoolKey.of("lb-1", "shop-web-ipv6"));
            }
        },
        THE_LISTING_FAILS {
            @Override
            void begins(EngineFixture the) {
                the.listingFailure = new Failure.HttpError(403, ArmError.ofStatus(403));
            }

            @Override
            void ends(EngineFixture the) {
                the.listingFailure = null;
            }
        },
        A_POOL_IS_NOT_IN_FORCE {
            @Override
            void begins(EngineFixture the) {
                the.listedAs = pool -> new BackendPool(
                        pool.key(),
                        pool.addresses(),
                        pool.etag(),
                        pool.source(),
                        ProvisioningState.UPDATING,
                        pool.unwritable());
            }

            @Override
            void ends(EngineFixture the) {
                the.listedAs = pool -> pool;
            }
        },
        A_POOL_IS_UNWRITABLE {
            @Override
            void begins(EngineFixture the) {
                the.listedAs = pool -> new BackendPool(
                        pool.key(),
                        pool.addresses(),
                        pool.etag(),
                        pool.source(),
                        pool.provisioning(),
                        Optional.of(Unwritable.AUTOMATIC));
            }

            @Override
            void ends(EngineFixture the) {
                the.listedAs = pool -> pool;
            }
        },
        ACCESS_IS_DENIED {
            @Override
            void begins(EngineFixture the) {
                the.fault(FaultRule.always(403));
                the.endpoints(API, 5);
            }

            @Override
            void ends(EngineFixture the) {
                the.cloud.faults().clear();
                the.endpoints(API, 1, 2);
            }
        },
        REQUESTS_ARE_THROTTLED {
            @Override
            void begins(EngineFixture the) {
                the.fault(FaultRule.always(429).retryAfter(Duration.ofMinutes(5)));
                the.endpoints(API, 5);
            }

            @Override
            void ends(EngineFixture the) {
                the.cloud.faults().clear();
                the.endpoints(API, 1, 2);
            }
        },
        WRITES_CONFLICT {
            @Override
            void begins(EngineFixture the) {
                the.fault(FaultRule.always(409));
                the.endpoints(API, 5);
            }

            @Override
            void ends(EngineFixture the) {
                the.cloud.faults().clear();
                the.endpoints(API, 1, 2);
            }
        },
        WRITES_ARE_REFUSED {
            @Override
            void begins(EngineFixture the) {
                the.fault(FaultRule.always(400));
                the.endpoints(API, 5);
            }

            @Override
            void ends(EngineFixture the) {
                the.cloud.faults().clear();
                the.endpoints(API, 1, 2);
            }
        },
        THE_LOCK_IS_TAKEN {
            @Override
            void begins(EngineFixture the) {
                the.resourceLock.takeAway();
                the.endpoints(API, 5);
            }

            @Override
            void ends(EngineFixture the) {
                the.resourceLock.release();
                the.endpoints(API, 1, 2);
            }
        },
        LEADERSHIP_IS_LOST {
            @Override
            void begins(EngineFixture the) {
                the.endpoints(API, 5);
                the.leader = false;
                the.engine.stopLeading();
            }

            @Override
            void ends(EngineFixture the) {
                the.endpoints(API, 1, 2);
                the.leader = true;
                the.lead();
            }
        },
        A_SLICE_OF_THE_OTHER_FAMILY {
            @Override
            void begins(EngineFixture the) {
                the.cluster.put(new EndpointSliceState("shop", "api-6", API, "IPv6", List.of("n9", "n999")));
            }

            @Override
            void ends(EngineFixture the) {
                the.cluster.deleteSlice("shop", "api-6");
            }
        };

        abstract void begins(EngineFixture the);

        abstract void ends(EngineFixture the);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "C98",
            says = "Whatever changes and then goes back to exactly what it was leaves nothing behind: no hold, no"
                    + " difference, no figure, no failure, and the pools as they were.",
            source = "ours")
    void nothing_of_it_is_left(Undone undone) {
        inStep();
        for (Duration lasts : List.of(Duration.ZERO, Duration.ofMinutes(7))) {
            for (int times = 0; times < 2; times++) {
                undone.begins(the);
                the.run(lasts);
                undone.ends(the);
                the.engine.askForListing();
                the.run(Duration.ofMinutes(70)); // waits for access grow to half an hour
                assertNothingIsLeft();
            }
        }
    }
}
