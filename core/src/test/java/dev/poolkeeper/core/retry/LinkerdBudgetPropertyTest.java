package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Linkerd's budget against a plain ledger of ten slots, for any ratio and traffic. */
class LinkerdBudgetPropertyTest {

    /** Settings with traffic that fits them. */
    record Case(Linkerd settings, List<Traffic> traffic) {}

    /** The requests, by slot. */
    private static final class Slots {
        final List<long[]> counted = new ArrayList<>();

        void count(long slot, int what) {
            if (counted.isEmpty() || counted.get(counted.size() - 1)[0] != slot) {
                counted.add(new long[] {slot, 0, 0});
            }
            counted.get(counted.size() - 1)[what]++;
        }

        long sum(long slot, int what) {
            return counted.stream()
                    .filter(entry -> entry[0] > slot - 10)
                    .mapToLong(entry -> entry[what])
                    .sum();
        }
    }

    @Property(tries = 600)
    @Rule(
            id = "P22",
            says = "Linkerd's budget admits exactly ratio times first attempts plus reserve in a window of ten slots,"
                    + " for every ratio.",
            source = "Linkerd 2.2 retries, Using retry budgets",
            differs = "Linkerd rounds ratios that are not 1/n up, 0.9 to 1.")
    void admits_exactly_what_ratio_and_reserve_allow(@ForAll("cases") Case given) {
        check(given, RetryBudget::of);
    }

    /** Creates a correct or a faulty budget. */
    private interface Maker {
        RetryBudget make(Linkerd settings, JumpingClock clock);
    }

    private static void check(Case given, Maker maker) {
        JumpingClock clock = new JumpingClock();
        long origin = clock.getAsLong();
        RetryBudget budget = maker.make(given.settings(), clock);
        Slots slots = new Slots();
        for (Traffic step : given.traffic()) {
            clock.advance(step.step());
            long slot = (clock.getAsLong() - origin) / (given.settings().ttl().toNanos() / 10);
            for (int i = 0; i < step.firsts(); i++) {
                budget.deposit();
                slots.count(slot, 1);
            }
            for (int i = 0; i < step.retries(); i++) {
                boolean expected = allows(given.settings(), slots.sum(slot, 1), slots.sum(slot, 2) + 1);
                assertThat(budget.tryWithdraw().isPresent()).isEqualTo(expected);
                if (expected) {
                    slots.count(slot, 2);
                }
            }
        }
    }

    /** Budgets that admit too much or too little. */
    enum Faulty implements Maker {
        DEPOSITS_COUNT_TWICE,
        DEPOSITS_ARE_LOST,
        REFUSALS_DEPOSIT,
        WINDOW_TOO_SHORT,
        WINDOW_TOO_LONG,
        RATIO_ROUNDED_AS_LINKERD_DOES,
        NO_RESERVE,
        REFUSED_FOR_EVER;

        @Override
        public RetryBudget make(Linkerd settings, JumpingClock clock) {
            return switch (this) {
                case DEPOSITS_COUNT_TWICE -> PlantedFault.countingDepositsTwice(of(settings, clock));
                case DEPOSITS_ARE_LOST -> PlantedFault.losingEachSecondDeposit(of(settings, clock));
                case REFUSALS_DEPOSIT -> PlantedFault.depositingRefusals(of(settings, clock));
                case WINDOW_TOO_SHORT -> of(settings, PlantedFault.fast(clock));
                case WINDOW_TOO_LONG -> of(settings, PlantedFault.slow(clock));
                case RATIO_ROUNDED_AS_LINKERD_DOES ->
                    of(
                            new Linkerd(
                                    settings.retryRatio() > 0 && settings.retryRatio() <= 1
                                            ? 1 / Math.floor(1 / settings.retryRatio())
                                            : settings.retryRatio(),
                                    settings.minRetriesPerSecond(),
                                    settings.ttl()),
                            clock);
                case NO_RESERVE -> of(new Linkerd(settings.retryRatio(), 0, settings.ttl()), clock);
                case REFUSED_FOR_EVER -> PlantedFault.refusingForEver(of(settings, clock));
            };
        }

        private static RetryBudget of(Linkerd settings, LongSupplier clock) {
            return RetryBudget.of(settings, clock);
        }
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void a_faulty_budget_is_detected(@ForAll Faulty fault) {
        PlantedFault.assertFound(cases(), given -> check(given, fault));
    }

    private static boolean allows(Linkerd settings, long firsts, long retries) {
        long reserve = settings.minRetriesPerSecond() * settings.ttl().toMillis() / 1_000;
        return BigDecimal.valueOf(retries - reserve)
                        .compareTo(BigDecimal.valueOf(settings.retryRatio()).multiply(BigDecimal.valueOf(firsts)))
                <= 0;
    }

    @Provide
    Arbitrary<Case> cases() {
        Arbitrary<Double> ratios = Arbitraries.oneOf(
                Arbitraries.of(0.0, 0.1, 0.2, 0.29, 0.3, 0.4, 0.7, 0.9, 1.0, 1.5, 999.999, 1000.0, 1e-9, 1e-300),
                Arbitraries.doubles().between(0, 2).ofScale(17));
        return Combinators.combine(
                        ratios,
                        Arbitraries.of(0, 1, 10),
                        Arbitraries.of(1_000L, 1_500L, 10_000L, 60_000L).map(Duration::ofMillis))
                .as(Linkerd::new)
                .flatMap(settings -> Traffic.arbitrary(settings.ttl(), false)
                        .list()
                        .ofMinSize(1)
                        .ofMaxSize(40)
                        .map(traffic -> new Case(settings, traffic)));
    }
}
