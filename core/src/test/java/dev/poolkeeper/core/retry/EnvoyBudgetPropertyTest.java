package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.retry.BudgetSettings.Envoy;
import java.util.List;
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

    /** Settings with what happens. */
    record Case(Envoy settings, List<Event> events) {}

    /** Makes a budget, or one with a fault. */
    private interface Maker {
        RetryBudget make(Envoy settings);
    }

    @Property(tries = 600)
    void admits_while_fewer_retries_are_under_way_than_share_or_floor(@ForAll("cases") Case given) {
        check(given, EnvoyBudget::new);
    }

    private static void check(Case given, Maker maker) {
        RetryBudget budget = maker.make(given.settings());
        int active = 0;
        int retries = 0;
        for (Event event : given.events()) {
            switch (event) {
                case BEGINS -> {
                    budget.deposit();
                    active++;
                }
                case WISHES -> {
                    boolean expected = retries < given.settings().minRetryConcurrency()
                            || retries + 1 <= given.settings().budgetPercent() * active / 100;
                    assertThat(budget.tryWithdraw()).isEqualTo(expected);
                    retries += expected ? 1 : 0;
                }
                case RETRY_ENDS -> {
                    budget.retryEnded();
                    retries = Math.max(0, retries - 1);
                }
                case ENDS -> {
                    budget.exchangeEnded();
                    active = Math.max(0, active - 1);
                }
            }
        }
    }

    /** Budgets that count wrong. */
    enum Faulty implements Maker {
        DEPOSITS_COUNT_TWICE,
        DEPOSITS_ARE_LOST,
        REFUSALS_DEPOSIT,
        EACH_TENTH_FREE,
        REFUSED_FOR_EVER,
        NOTHING_ENDS;

        @Override
        public RetryBudget make(Envoy settings) {
            RetryBudget right = new EnvoyBudget(settings);
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
    void a_budget_with_a_fault_is_found(@ForAll Faulty fault) {
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
