package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * Any traffic against any responses of the cloud. After every tick the engine's state of each pool is compared with the
 * calls to the cloud: each update is waiting, applied, reported or dropped with a cause, and none was tried too often
 * or too early.
 */
class EnginePropertyTest {

    private static final int MAX_RETRIES = 2;

    /** The next step: a wanted set for one of four Services, or a tick with the cloud's next responses. */
    sealed interface Step {
        record Want(int service, Set<Integer> addresses) implements Step {}

        record Leave(int service) implements Step {}

        record Tick(List<Integer> answers) implements Step {}
    }

    @Property(tries = 600)
    @Rule(
            id = "B1",
            says = "Every update is either waiting, applied, reported, or dropped with a cause. None is lost,"
                    + " and none is tried before its nextEligibleAt or more than 1 + maxRetries times.",
            source = "design document, Retry Model")
    void no_update_is_lost_or_attempted_too_often_or_too_early(
            @ForAll UpdateModel model, @ForAll("steps") List<Step> steps) {
        World world = new World(model);
        steps.forEach(world::run);
        Statistics.label("retried").collect(world.f.metrics.retried() > 0);
        Statistics.label("gave up").collect(world.f.metrics.failed() > 0);
        Statistics.label("parked").collect(world.parkedTicks > 0);
    }

    @Property(tries = 400)
    @Rule(
            id = "B2",
            says = "Once the cloud works again, each pool ends with the last wanted addresses, unless its"
                    + " Service got a Failed event or the pool was deleted.",
            source = "design document, Queue Growth And Stale Operations")
    void pools_end_with_the_wanted_set_unless_a_failure_was_reported(
            @ForAll UpdateModel model, @ForAll("steps") List<Step> steps) {
        World world = new World(model);
        steps.forEach(world::run);
        world.heal();
        world.assertConverged();
    }

    private static final class World {
        private static final List<ServiceName> SERVICES = List.of(
                new ServiceName("s", "a"),
                new ServiceName("s", "b"),
                new ServiceName("s", "c"),
                new ServiceName("s", "d"));
        private static final Set<Difference.Reason> WAITING =
                Set.of(Difference.Reason.QUEUED, Difference.Reason.RETRYING, Difference.Reason.PARKED);

        final UpdateFixture f;
        final UpdateModel model;
        final Deque<Integer> answers = new ArrayDeque<>();
        final Map<ServiceName, AddressSet> wanted = new HashMap<>();
        final Set<ServiceName> excused = new HashSet<>();
        final Set<PoolKey> parked = new HashSet<>();
        final Set<PoolKey> waiting = new HashSet<>();
        final Map<PoolKey, Integer> failedInARow = new HashMap<>();
        int parkedTicks;

        World(UpdateModel model) {
            this.model = model;
            this.f = new UpdateFixture(
                    EngineSettings.REFERENCE.withModel(model).withMaxRetries(MAX_RETRIES),
                    UnaryOperator.identity(),
                    this::answering);
            for (ServiceName service : SERVICES) {
                f.cloud.putPool(pool(service), AddressSet.empty());
            }
        }

        static PoolKey pool(ServiceName service) {
            return PoolKey.of("lb-" + service.name().charAt(0) % 2, "s-" + service.name());
        }

        void run(Step step) {
            switch (step) {
                case Step.Want(int service, Set<Integer> addresses) -> want(SERVICES.get(service), set(addresses));
                case Step.Leave(int service) -> leave(SERVICES.get(service));
                case Step.Tick(List<Integer> next) -> {
                    answers.addAll(next);
                    tick();
                }
            }
        }

        private void want(ServiceName service, AddressSet now) {
            AddressSet before = wanted.put(service, now);
            if (before == null || model == UpdateModel.DESIRED_STATE && !before.equals(now)) {
                excused.remove(service); // the whole set is queued
                failedInARow.remove(pool(service));
            }
            f.view.want(service, pool(service), now);
        }

        private void leave(ServiceName service) {
            wanted.remove(service);
            f.view.leave(service, pool(service));
            failedInARow.remove(pool(service));
        }

        void tick() {
            look(f.time.instant().plus(UpdateFixture.INTERVAL));
            int eventsBefore = f.events.events().size();
            f.tick();
            parkedTicks += parked.isEmpty() ? 0 : 1;
            look(f.time.instant());
            for (ServiceEvent event :
                    f.events.events().subList(eventsBefore, f.events.events().size())) {
                if (event.reason() == ServiceEvent.Reason.FAILED) {
                    excused.add(event.service());
                }
            }
            for (ServiceName service : wanted.keySet()) {
                boolean applied = f.held(pool(service)).equals(wanted.get(service));
                assertThat(applied || waiting.contains(pool(service)) || excused.contains(service))
                        .as(
                                "%s wants %s, its pool holds %s, and nothing waits or was reported",
                                service, wanted.get(service), f.held(pool(service)))
                        .isTrue();
            }
        }

        /** Queries the waiting pools, and those that must not be tried at that time. */
        private void look(Instant at) {
            waiting.clear();
            parked.clear();
            for (PoolStatus status : f.engine.status().pools()) {
                assertThat(status.attempts()).isLessThanOrEqualTo(MAX_RETRIES);
                Difference difference = status.difference().orElse(null);
                if (difference == null) {
                    assertThat(f.held(status.pool())).isEqualTo(status.wanted());
                } else if (WAITING.contains(difference.reason())) {
                    waiting.add(status.pool());
                    if (difference.until().filter(at::isBefore).isPresent()) {
                        parked.add(status.pool());
                    }
                }
            }
        }

        /** Ends all faults of the cloud. */
        void heal() {
            answers.clear();
            f.time.advance(Duration.ofDays(2));
            tick();
            tick();
        }

        void assertConverged() {
            assertThat(f.waiting()).isZero();
            wanted.forEach((service, addresses) -> {
                if (!excused.contains(service)) {
                    assertThat(f.held(pool(service))).as("pool of %s", service).isEqualTo(addresses);
                }
            });
        }

        private BackendPools answering(BackendPools cloud) {
            return new BackendPools() {
                @Override
                public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                    assertThat(parked).as("pools that have to wait").doesNotContain(pool);
                    Failure failure = nextFailure(pool);
                    if (failure == null && wantedIn(pool).equals(f.held(pool))) {
                        failedInARow.remove(pool); // nothing to write: a success
                    }
                    return failure == null ? cloud.read(pool, context) : Reply.failed(failure);
                }

                @Override
                public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                    Failure failure = nextFailure(read.key());
                    if (failure == null) {
                        failedInARow.remove(read.key());
                    }
                    return failure == null ? cloud.write(read, addresses, context) : Reply.failed(failure);
                }
            };
        }

        private AddressSet wantedIn(PoolKey pool) {
            return SERVICES.stream()
                    .filter(service -> pool(service).equals(pool))
                    .map(service -> wanted.getOrDefault(service, AddressSet.empty()))
                    .findFirst()
                    .orElseThrow();
        }

        private @Nullable Failure nextFailure(PoolKey pool) {
            Integer answer = answers.poll();
            if (answer == null || answer < 400) {
                return null;
            }
            if (answer == 404) {
                SERVICES.stream().filter(service -> pool(service).equals(pool)).forEach(excused::add);
            }
            Instant retryAfter = answer == 429 ? f.time.instant().plusSeconds(100) : null;
            if (answer == 409 || answer == 412 || answer == 429) {
                if (model == UpdateModel.DESIRED_STATE) {
                    int inARow = failedInARow.merge(pool, 1, Integer::sum);
                    assertThat(inARow).as("attempts on %s", pool).isLessThanOrEqualTo(1 + MAX_RETRIES);
                    if (inARow == 1 + MAX_RETRIES) {
                        failedInARow.remove(pool);
                    }
                }
            } else {
                failedInARow.remove(pool);
            }
            return Failure.ofStatus(answer, retryAfter, ArmError.ofStatus(answer));
        }

        private static AddressSet set(Set<Integer> addresses) {
            return AddressSet.of(addresses.stream()
                    .map(last -> IpAddress.of("10.0.0." + last))
                    .toList());
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> service = Arbitraries.integers().between(0, 3);
        Arbitrary<Step> want = Combinators.combine(
                        service, Arbitraries.integers().between(1, 5).set().ofMaxSize(4))
                .as(Step.Want::new);
        Arbitrary<Step> leave = service.map(Step.Leave::new);
        Arbitrary<Step> tick = Arbitraries.of(200, 200, 200, 404, 409, 409, 412, 429, 503)
                .list()
                .ofMaxSize(8)
                .map(Step.Tick::new);
        return Arbitraries.frequencyOf(Tuple.of(4, want), Tuple.of(1, leave), Tuple.of(4, tick))
                .list()
                .ofMaxSize(40);
    }
}
