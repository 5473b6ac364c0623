package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;

/** The brake against {@link BrakeModel}, which shares no code with it. */
class SafetyBrakePropertyTest {

    /** The search ends at the first case. */
    private static final int SAMPLES = 50_000;

    private static final Set<Integer> ALL = Set.of(0, 1, 2, 3, 4);

    @Property(tries = 3000)
    @Rule(
            id = "C31",
            says = "In any sequence of events, no namespace loses more than the share within a window without having"
                    + " been held; no addition is held; and an id covers only the addresses that were held under it.",
            source = "ours")
    void the_brake_holds_exactly_what_the_model_holds(@ForAll("steps") List<BrakeStep> steps) {
        BrakeWorld world = new BrakeWorld(BrakeSubject::new);
        steps.forEach(world::take);
        isReachedOften("something is held", world.wasHolding);
        isReachedOften("an operator agrees", world.wasAgreed);
        isReachedOften("a plan goes with less", world.wentWithLess);
        isReachedOften("addresses are replaced", world.wasReplaced);
        isReachedOften("a hold ends early", world.endedEarly);
    }

    /** The second removal holds nothing any more once the first has been judged, which let some go because of it. */
    @Test
    void what_goes_is_judged_again_when_a_removal_after_it_goes_too() {
        staysWithinShare(
                new BrakeStep.WantNothing(),
                new BrakeStep.Tick(Set.of(), new BrakeStep.Want(4, false, Set.of(1, 2, 3, 4, 5, 6))),
                new BrakeStep.Pause(0, true),
                new BrakeStep.Tick(Set.of(3), new BrakeStep.Want(1, true, Set.of(1, 2))),
                new BrakeStep.Want(4, true, Set.of(1, 2, 3, 4, 5, 6, 7, 8)),
                new BrakeStep.Tick(Set.of(), new BrakeStep.Want(0, true, Set.of())),
                new BrakeStep.WantNothing(),
                new BrakeStep.Want(0, true, Set.of(1, 2, 4, 5, 6, 10)),
                new BrakeStep.Want(2, true, Set.of(2, 10)),
                new BrakeStep.Tick(Set.of(0), new BrakeStep.Want(4, true, Set.of(2))),
                new BrakeStep.Want(4, false, Set.of()),
                new BrakeStep.Want(0, false, Set.of(2, 3, 5, 6, 7, 8, 9, 10)),
                new BrakeStep.Tick(ALL, new BrakeStep.Want(0, true, Set.of(1, 2, 3, 4, 5, 6, 7, 8))));
    }

    /** The fifth pool's first namespace loses enough to hold the addresses, then no longer: the second would now. */
    @Test
    void what_is_held_for_one_namespace_of_a_shared_pool_may_be_held_for_another_afterwards() {
        staysWithinShare(
                new BrakeStep.Want(0, true, Set.of()),
                new BrakeStep.Tick(Set.of(), new BrakeStep.Want(1, true, Set.of())),
                new BrakeStep.Tick(Set.of(0), new BrakeStep.Want(4, true, Set.of(1, 2, 3, 4))),
                new BrakeStep.Want(2, true, Set.of()),
                new BrakeStep.Pause(0, true),
                new BrakeStep.Tick(Set.of(), new BrakeStep.Want(0, true, Set.of())),
                new BrakeStep.WantNothing(),
                new BrakeStep.Want(2, true, Set.of(1, 2, 3, 4)),
                new BrakeStep.Want(1, true, Set.of(1)),
                new BrakeStep.Tick(ALL, new BrakeStep.Want(3, true, Set.of(1, 2, 3, 4, 9, 10))));
    }

    private static void staysWithinShare(BrakeStep... steps) {
        BrakeWorld world = new BrakeWorld(BrakeSubject::new); // checks this at each write
        List.of(steps).forEach(world::take);
    }

    @Property(tries = 300)
    @Rule(id = "C80", says = "No address is held longer than one hold because of other addresses.", source = "ours")
    void no_address_is_held_longer_than_one_hold(@ForAll("busyHours") List<BrakeStep> steps) {
        BrakeWorld world = new BrakeWorld(BrakeSubject::new); // checks this at each update
        steps.forEach(world::take);
        isReachedOften("something is held", world.wasHolding);
        Statistics.label("a hold of ten minutes is over")
                .collect(world.wasLetThrough)
                .coverage(all -> all.check(true).count(runs -> runs > 0));
    }

    private static void isReachedOften(String branch, boolean reached) {
        Statistics.label(branch)
                .collect(reached)
                .coverage(all -> all.check(true).percentage(share -> share > 5));
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void a_faulty_brake_is_detected(@ForAll FaultyBrake fault) {
        assertThat(steps().sampleStream().limit(SAMPLES).anyMatch(steps -> isFound(steps, fault)))
                .isTrue();
    }

    private static boolean isFound(List<BrakeStep> steps, FaultyBrake fault) {
        BrakeWorld world = new BrakeWorld(fault);
        try {
            steps.forEach(world::take);
            return false;
        } catch (AssertionError e) {
            return true;
        }
    }

    /** Each minute or so pools change and everything that may be written is written. */
    @Provide
    Arbitrary<List<BrakeStep>> busyHours() {
        Arbitrary<Integer> pool = Arbitraries.integers().between(0, BrakeWorld.POOLS - 1);
        Arbitrary<Boolean> second = Arbitraries.of(true, false);
        Arbitrary<Set<Integer>> few =
                Arbitraries.integers().between(1, 10).set().ofMaxSize(6);
        Arbitrary<BrakeStep.Want> want = Combinators.combine(pool, second, few).as(BrakeStep.Want::new);
        return Combinators.combine(want, want, Arbitraries.of(20, 60, 100))
                .as((first, meanwhile, seconds) -> List.<BrakeStep>of(
                        first,
                        new BrakeStep.Tick(ALL, meanwhile),
                        new BrakeStep.Land(Set.of()),
                        new BrakeStep.Advance(seconds)))
                .list()
                .ofMinSize(30)
                .ofMaxSize(40)
                .map(minutes -> minutes.stream().flatMap(List::stream).toList());
    }

    @Provide
    Arbitrary<List<BrakeStep>> steps() {
        Arbitrary<Integer> pool = Arbitraries.integers().between(0, BrakeWorld.POOLS - 1);
        Arbitrary<Boolean> second = Arbitraries.of(true, false);
        Arbitrary<Set<Integer>> pools = pool.set();
        Arbitrary<Set<Integer>> addresses =
                Arbitraries.integers().between(1, 10).set();
        Arbitrary<BrakeStep.Want> want =
                Combinators.combine(pool, second, addresses).as(BrakeStep.Want::new);
        Arbitrary<BrakeStep> advance =
                Arbitraries.of(0, 7, 15, 30, 300, 599, 601).map(BrakeStep.Advance::new);
        Arbitrary<BrakeStep> tick = Combinators.combine(pools, want).as(BrakeStep.Tick::new);
        Arbitrary<BrakeStep> pause =
                Combinators.combine(pool, Arbitraries.of(true, false)).as(BrakeStep.Pause::new);
        return Arbitraries.frequencyOf(
                        Tuple.of(8, want.map(BrakeStep.class::cast)),
                        Tuple.of(1, Arbitraries.create(BrakeStep.WantNothing::new)),
                        Tuple.of(1, pause),
                        Tuple.of(5, advance),
                        Tuple.of(8, tick),
                        Tuple.of(5, pools.map(BrakeStep.Land::new)),
                        Tuple.of(
                                1,
                                Arbitraries.integers()
                                        .between(0, 2)
                                        .set()
                                        .ofMinSize(1)
                                        .map(BrakeStep.Agree::new)))
                .list()
                .ofMaxSize(40);
    }
}
