package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

/** One pool that is updated whenever its wanted addresses change, with every possible outcome of a write. */
class DriftBackOffPropertyTest {

    private static final PoolKey POOL = PoolKey.of("lb", "web");
    private static final Failure NO_ANSWER = Failure.Other.retriable("no answer");

    /** The outcome of our next write. */
    private enum Outcome {
        LANDS,
        LANDS_UNNOTICED,
        FAILS,
        IS_NOT_APPLIED,
        IS_OVERWRITTEN
    }

    sealed interface Step {
        record Want(int address) implements Step {}

        record Update(Outcome outcome) implements Step {}

        record ChangeByAnother(int address) implements Step {}

        record Listing() implements Step {}

        record NewTerm() implements Step {}

        record Advance(int minutes) implements Step {}
    }

    private static final class World {
        final FakeTime time = new FakeTime();
        final Pools known = TestPools.none();
        final DriftBackOff guard = new DriftBackOff(DriftSettings.DEFAULT, known, time);
        AddressSet wanted = set(1);
        AddressSet held = set(1);

        /** Whether a write of ours is known to have been applied since another writer last changed the pool. */
        boolean isOursToChange;

        /** How often another writer changed the known result of a write of ours. */
        int changesOfOurs;

        boolean wasHeld;

        static AddressSet set(int address) {
            return AddressSet.of("10.0.0." + address);
        }

        BackendPool pool(AddressSet addresses) {
            return new BackendPool(POOL, addresses, "etag", null);
        }

        void take(Step step) {
            switch (step) {
                case Step.Want(int address) -> wanted = set(address);
                case Step.Update(Outcome outcome) -> update(outcome);
                case Step.ChangeByAnother(int address) -> changeByAnother(set(address));
                case Step.Listing() -> {
                    known.listed(List.of(pool(held)), time.instant());
                    guard.forgetEnded();
                }
                case Step.NewTerm() -> known.forgetWrites();
                case Step.Advance(int minutes) -> time.advance(Duration.ofMinutes(minutes));
            }
        }

        private void changeByAnother(AddressSet addresses) {
            if (!addresses.equals(held)) {
                held = addresses;
                changesOfOurs += isOursToChange ? 1 : 0;
                isOursToChange = false;
            }
        }

        private void update(Outcome outcome) {
            known.read(pool(held), time.instant());
            Plan plan = new Plan(POOL, List.of(), held, wanted);
            guard.wasRead(plan);
            if (plan.isDone()) {
                return;
            }
            if (guard.judge(plan) instanceof Verdict.Hold) {
                wasHeld = true;
                assertThat(changesOfOurs).as("changes of what we wrote").isGreaterThanOrEqualTo(3);
                return;
            }
            known.writeBegins(POOL, wanted);
            isOursToChange = false;
            write(plan, outcome);
        }

        private void write(Plan plan, Outcome outcome) {
            switch (outcome) {
                case LANDS -> {
                    held = wanted;
                    isOursToChange = true;
                    known.written(pool(held), true, time.instant());
                    guard.wasWritten(plan);
                }
                case LANDS_UNNOTICED -> {
                    held = wanted;
                    known.failed(POOL, true, NO_ANSWER, time.instant());
                }
                case FAILS -> known.failed(POOL, true, NO_ANSWER, time.instant());
                case IS_NOT_APPLIED -> known.written(pool(held), false, time.instant());
                case IS_OVERWRITTEN -> {
                    held = set(99);
                    changesOfOurs++;
                    known.written(pool(held), false, time.instant());
                    guard.wasOverwritten(plan);
                }
            }
        }
    }

    @Property(tries = 2000)
    @Rule(
            id = "C32",
            says = "Whatever the outcomes of writes, a pool is written less often only after another writer has"
                    + " changed the result of a successful write three times.",
            source = "ours")
    void only_another_writer_slows_down_our_writes(@ForAll("steps") List<Step> steps) {
        World world = new World();
        steps.forEach(world::take);
        assertThat(world.guard.fights().isEmpty() || world.changesOfOurs >= 3).isTrue();
        Statistics.label("an update was held").collect(world.wasHeld);
    }

    @Property
    void a_pool_is_held_for_two_hours_at_most(@ForAll("steps") List<Step> steps) {
        World world = new World();
        steps.forEach(world::take);
        world.time.advance(Duration.ofHours(2));
        world.wasHeld = false;
        world.update(Outcome.FAILS);
        assertThat(world.wasHeld).isFalse();
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> address = Arbitraries.integers().between(1, 3);
        Arbitrary<Outcome> outcome = Arbitraries.frequency(
                Tuple.of(12, Outcome.LANDS),
                Tuple.of(1, Outcome.LANDS_UNNOTICED),
                Tuple.of(1, Outcome.FAILS),
                Tuple.of(1, Outcome.IS_NOT_APPLIED),
                Tuple.of(1, Outcome.IS_OVERWRITTEN));
        return Arbitraries.frequencyOf(
                        Tuple.of(2, address.map(Step.Want::new).map(Step.class::cast)),
                        Tuple.of(12, outcome.map(Step.Update::new)),
                        Tuple.of(10, address.map(Step.ChangeByAnother::new)),
                        Tuple.of(2, Arbitraries.create(Step.Listing::new)),
                        Tuple.of(1, Arbitraries.create(Step.NewTerm::new)),
                        Tuple.of(2, Arbitraries.of(1, 15, 61, 181).map(Step.Advance::new)))
                .list()
                .ofMaxSize(60);
    }
}
