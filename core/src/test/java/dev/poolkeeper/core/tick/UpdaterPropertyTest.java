package dev.poolkeeper.core.tick;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
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
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * Any traffic against any answers of the cloud. After every tick the books are held against what the cloud saw: each
 * operation is waiting, applied, reported or dropped with a cause, and nothing was tried too often or too early.
 */
class UpdaterPropertyTest {

    private static final int MAX_RETRIES = 2;

    /** What happens next: a wanted set for one of four Services, or a tick with the cloud's next answers. */
    sealed interface Step {
        record Want(int service, Set<Integer> addresses) implements Step {}

        record Leave(int service) implements Step {}

        record Tick(List<Integer> answers) implements Step {}
    }

    @Property(tries = 600)
    @Rule(
            id = "B1",
            says = "Every operation is in one place: waiting, applied, reported, or dropped with a cause. None is"
                    + " lost, none is tried before its nextEligibleAt or more than 1 + maxRetries times.",
            source = "design document, Retry Model; DESIGN section 2")
    void no_operation_is_lost_and_none_is_tried_too_often_or_too_early(
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
            says = "When the cloud answers again, each pool ends with what was wanted last, unless the Service was"
                    + " told of a failure or the pool was gone.",
            source = "design document, Queue Growth And Stale Operations; DESIGN section 2")
    void pools_end_with_what_was_wanted_unless_somebody_was_told(
            @ForAll UpdateModel model, @ForAll("steps") List<Step> steps) {
        World world = new World(model);
        steps.forEach(world::run);
        world.heal();
        world.assertConverged();
    }

    private static final class World {
        private static final ServiceName[] SERVICES = {
            new ServiceName("s", "a"), new ServiceName("s", "b"), new ServiceName("s", "c"), new ServiceName("s", "d")
        };

        final Fixture f;
        final UpdateModel model;
        final Deque<Integer> answers = new ArrayDeque<>();
        final Map<ServiceName, AddressSet> wanted = new HashMap<>();
        final Set<ServiceName> excused = new HashSet<>();
        final Set<PoolKey> parked = new HashSet<>();
        final Map<PoolKey, Integer> failedInARow = new HashMap<>();
        final Set<ServiceName> waiting = new HashSet<>();
        int parkedTicks;

        World(UpdateModel model) {
            this.model = model;
            this.f = new Fixture(model, MAX_RETRIES, RetryBudget.ENDLESS, this::answering);
            for (ServiceName service : SERVICES) {
                f.cloud.putPool(pool(service), AddressSet.empty());
            }
        }

        static PoolKey pool(ServiceName service) {
            return PoolKey.of("lb-" + service.name().charAt(0) % 2, "s-" + service.name());
        }

        void run(Step step) {
            switch (step) {
                case Step.Want(int service, Set<Integer> addresses) -> want(SERVICES[service], set(addresses));
                case Step.Leave(int service) -> leave(SERVICES[service]);
                case Step.Tick(List<Integer> next) -> {
                    answers.addAll(next);
                    tick();
                }
            }
        }

        private void want(ServiceName service, AddressSet now) {
            AddressSet before = wanted.put(service, now);
            f.local(service, pool(service));
            if (before == null) {
                excused.remove(service);
                f.queue.add(new Operation.Replace(service, pool(service), now));
            } else {
                if (model == UpdateModel.DESIRED_STATE && !before.equals(now)) {
                    failedInARow.remove(pool(service));
                    excused.remove(service); // the whole set is on its way again
                }
                if (!before.equals(now)) {
                    model.operationsFor(service, pool(service), before, now).forEach(f.queue::add);
                }
            }
        }

        private void leave(ServiceName service) {
            wanted.remove(service);
            f.localServices.remove(service);
            f.queue.remove(service, pool(service));
            failedInARow.remove(pool(service));
        }

        void tick() {
            look(f.clock.instant().plus(Fixture.INTERVAL));
            int eventsBefore = f.events.events().size();
            f.tick();
            parkedTicks += parked.isEmpty() ? 0 : 1;
            look(f.clock.instant());
            for (ServiceEvent event :
                    f.events.events().subList(eventsBefore, f.events.events().size())) {
                if (event.reason() == ServiceEvent.Reason.FAILED) {
                    excused.add(event.service());
                }
            }
            for (ServiceName service : wanted.keySet()) {
                boolean applied = f.held(pool(service)).equals(wanted.get(service));
                boolean waits = waiting.contains(service);
                assertThat(applied || waits || excused.contains(service))
                        .as(
                                "%s wants %s, its pool holds %s, and nothing waits or was told",
                                service, wanted.get(service), f.held(pool(service)))
                        .isTrue();
            }
        }

        /**
         * Looks into the queue: who waits, which pools may not be tried yet, and that nobody has been tried too often.
         */
        private void look(Instant now) {
            waiting.clear();
            parked.clear();
            for (OperationGroup group : f.queue.drain()) {
                if (group.isParked(now)) {
                    parked.add(group.pool());
                }
                for (PendingOperation operation : group.operations()) {
                    waiting.add(operation.operation().service());
                    assertThat(operation.retryCount()).isLessThanOrEqualTo(MAX_RETRIES);
                }
                f.queue.requeue(group.pool(), group.operations());
            }
        }

        /** The cloud answers everything from now on. */
        void heal() {
            answers.clear();
            f.clock.advance(Duration.ofDays(2));
            tick();
            tick();
        }

        void assertConverged() {
            assertThat(f.queue.isEmpty()).isTrue();
            wanted.forEach((service, addresses) -> {
                if (!excused.contains(service)) {
                    assertThat(f.held(pool(service))).as("pool of %s", service).isEqualTo(addresses);
                }
            });
        }

        private BackendPools answering(BackendPools cloud) {
            return new BackendPools() {
                @Override
                public Reply<BackendPool> read(PoolKey pool) {
                    assertThat(parked).as("pools that have to wait").doesNotContain(pool);
                    Failure failure = nextFailure(pool);
                    if (failure == null && wantedIn(pool).equals(f.held(pool))) {
                        failedInARow.remove(pool); // nothing to write: a success
                    }
                    return failure == null ? cloud.read(pool) : Reply.failed(failure);
                }

                @Override
                public Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
                    Failure failure = nextFailure(read.key());
                    if (failure == null) {
                        failedInARow.remove(read.key());
                    }
                    return failure == null ? cloud.write(read, addresses) : Reply.failed(failure);
                }
            };
        }

        private AddressSet wantedIn(PoolKey pool) {
            return List.of(SERVICES).stream()
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
                List.of(SERVICES).stream().filter(s -> pool(s).equals(pool)).forEach(excused::add);
            }
            Instant retryAfter = answer == 429 ? f.clock.instant().plusSeconds(100) : null;
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
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(4, want),
                        net.jqwik.api.Tuple.of(1, leave),
                        net.jqwik.api.Tuple.of(4, tick))
                .list()
                .ofMaxSize(40);
    }
}
