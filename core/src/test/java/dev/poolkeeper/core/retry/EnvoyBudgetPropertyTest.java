package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import dev.poolkeeper.ports.retry.BudgetSettings.Envoy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Envoy's budget against two plain counts, for any settings and order of events. */
class EnvoyBudgetPropertyTest {

    enum Event {
        BEGINS,
        WISHES,
        RETRY_ENDS,
        ENDS
    }

    /** Settings with a sequence of events. */
    record Case(Envoy settings, List<Event> events) {}

    /** Creates a correct or a faulty budget. */
    private interface Maker {
        RetryBudget make(Envoy settings);
    }

    @Property(tries = 600)
    void admits_while_fewer_retries_are_in_progress_than_share_or_floor(@ForAll("cases") Case given) {
        check(given, EnvoyBudgetPropertyTest::budget);
    }

    private static void check(Case given, Maker maker) {
        RetryBudget budget = maker.make(given.settings());
        Deque<InProgress> active = new ArrayDeque<>();
        Deque<InProgress> retries = new ArrayDeque<>();
        for (Event event : given.events()) {
            switch (event) {
                case BEGINS -> active.add(budget.deposit());
                case WISHES -> {
                    boolean expected = retries.size() < given.settings().minRetryConcurrency()
                            || retries.size() + 1 <= given.settings().budgetPercent() * active.size() / 100;
                    Optional<InProgress> admitted = budget.tryWithdraw();
                    assertThat(admitted.isPresent()).isEqualTo(expected);
                    admitted.ifPresent(retries::add);
                }
                case RETRY_ENDS -> end(retries);
                case ENDS -> end(active);
            }
        }
    }

    private static void end(Deque<InProgress> begun) {
        if (!begun.isEmpty()) {
            begun.remove().close();
        }
    }

    private static RetryBudget budget(Envoy settings) {
        return RetryBudget.of(settings, () -> 0);
    }

    /** Budgets that miscount. */
    enum Faulty implements Maker {
        DEPOSITS_COUNT_TWICE,
        DEPOSITS_ARE_LOST,
        REFUSALS_DEPOSIT,
        EACH_TENTH_FREE,
        REFUSED_FOR_EVER,
        NOTHING_ENDS;

        @Override
        public RetryBudget make(Envoy settings) {
            RetryBudget right = budget(settings);
            return switch (this) {
                case DEPOSITS_COUNT_TWICE -> PlantedFault.countingDepositsTwice(right);
                case DEPOSITS_ARE_LOST -> PlantedFault.losingEachSecondDeposit(right);
                case REFUSALS_DEPOSIT -> PlantedFault.depositingRefusals(right);
                case EACH_TENTH_FREE -> PlantedFault.admittingEach(10, right);
                case REFUSED_FOR_EVER -> PlantedFault.refusingForEver(right);
                case NOTHING_ENDS -> PlantedFault.thatNothingEnds(right);
            };
        }
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void a_faulty_budget_is_detected(@ForAll Faulty fault) {
        PlantedFault.assertFound(cases(), given -> check(given, fault));
    }

    @Provide
    Arbitrary<Case> cases() {
        return Combinators.combine(
                        Combinators.combine(Arbitraries.of(0.0, 1.0, 20.0, 50.0, 100.0), Arbitraries.of(0, 1, 3))
                                .as(Envoy::new),
                        Arbitraries.of(Event.class).list().ofMinSize(1).ofMaxSize(200))
                .as(Case::new);
    }
}
