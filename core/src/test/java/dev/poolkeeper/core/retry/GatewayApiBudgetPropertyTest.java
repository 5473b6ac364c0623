package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** The Gateway API's budget against a plain ledger, for any settings, traffic and clock. */
class GatewayApiBudgetPropertyTest {

    private static final int SLOTS = 500;

    /** Settings with traffic that fits them. */
    record Case(GatewayApi settings, List<Traffic> traffic) {}

    /** One ledger per window. */
    private static final class Books {
        final Ledger share;
        final Ledger floor;

        Books(GatewayApi settings, long now) {
            share = ledger(settings.interval().toNanos(), now);
            floor = ledger(settings.minRetryRate().interval().toNanos(), now);
        }

        private static Ledger ledger(long length, long now) {
            return new Ledger(length, length / SLOTS, now);
        }

        void at(long now) {
            share.at(now);
            floor.at(now);
        }

        void first() {
            share.first();
            floor.first();
        }

        void retry() {
            share.retry();
            floor.retry();
        }

        void takeBackRetry() {
            share.takeBackRetry();
            floor.takeBackRetry();
        }
    }

    @Property(tries = 600)
    @Rule(
            id = "P20",
            says = "In any trailing interval admitted retries are at most the larger of budget.percent of all"
                    + " requests, retries included, and the floor, for any traffic and clock.",
            source = "GEP-3388; BackendTrafficPolicy, Retry Constraint")
    void retries_never_exceed_the_larger_of_share_and_floor(@ForAll("anyClock") Case given) {
        Seen seen = checkNoneTooMany(given, RetryBudget::of);
        Statistics.label("admitted")
                .collect(seen.admitted())
                .coverage(c -> c.check(true).percentage(p -> p > 50));
        Statistics.label("refused")
                .collect(seen.refused())
                .coverage(c -> c.check(true).percentage(p -> p > 20));
    }

    private record Seen(boolean admitted, boolean refused) {}

    private static Seen checkNoneTooMany(Case given, Maker maker) {
        JumpingClock clock = new JumpingClock();
        RetryBudget budget = maker.make(given.settings(), clock);
        Books ledger = new Books(given.settings(), clock.getAsLong());
        boolean refused = false;
        boolean admitted = false;
        for (Traffic step : given.traffic()) {
            clock.advance(step.step());
            if (step.isQuiet()) {
                continue; // the clock is not read
            }
            ledger.at(clock.getAsLong());
            for (int i = 0; i < step.firsts(); i++) {
                budget.deposit();
                ledger.first();
            }
            for (int i = 0; i < step.retries(); i++) {
                if (budget.tryWithdraw().isPresent()) {
                    ledger.retry();
                    admitted = true;
                    assertThat(allows(given.settings(), ledger, 0)).isTrue();
                } else {
                    refused = true;
                }
            }
        }
        return new Seen(admitted, refused);
    }

    @Property(tries = 300)
    @Rule(
            id = "P21",
            says = "A retry that share or floor allows is refused only within a five-hundredth of the interval.",
            source = "ours")
    void every_refusal_is_required_by_the_rule(@ForAll("forward") Case given) {
        checkNoneTooFew(given, RetryBudget::of);
    }

    private static void checkNoneTooFew(Case given, Maker maker) {
        JumpingClock clock = new JumpingClock();
        RetryBudget budget = maker.make(given.settings(), clock);
        Books ledger = new Books(given.settings(), clock.getAsLong());
        for (Traffic step : given.traffic()) {
            clock.advance(step.step());
            if (step.isQuiet()) {
                continue; // the clock is not read
            }
            ledger.at(clock.getAsLong());
            for (int i = 0; i < step.firsts(); i++) {
                budget.deposit();
                ledger.first();
            }
            for (int i = 0; i < step.retries(); i++) {
                boolean admitted = budget.tryWithdraw().isPresent();
                ledger.retry();
                if (!admitted) {
                    assertThat(allows(given.settings(), ledger, 2)).isFalse();
                    ledger.takeBackRetry();
                }
            }
        }
    }

    /** Creates a correct or a faulty budget. */
    private interface Maker {
        RetryBudget make(GatewayApi settings, JumpingClock clock);
    }

    /** Budgets that admit too much. */
    enum Generous implements Maker {
        DEPOSITS_COUNT_TWICE,
        REFUSALS_DEPOSIT,
        WINDOW_TOO_SHORT,
        TIME_ROUNDED_DOWN,
        JUMP_BACK_FORGIVES,
        FLOOR_ON_TOP_OF_SHARE,
        EACH_TENTH_FREE;

        @Override
        public RetryBudget make(GatewayApi settings, JumpingClock clock) {
            return switch (this) {
                case DEPOSITS_COUNT_TWICE -> PlantedFault.countingDepositsTwice(of(settings, clock));
                case REFUSALS_DEPOSIT -> PlantedFault.depositingRefusals(of(settings, clock));
                case WINDOW_TOO_SHORT -> of(settings, PlantedFault.fast(clock));
                case TIME_ROUNDED_DOWN ->
                    of(settings, PlantedFault.coarse(clock, settings.interval().toNanos() / 20));
                case JUMP_BACK_FORGIVES -> PlantedFault.forgivingOnJumpBack(clock, () -> of(settings, clock));
                case FLOOR_ON_TOP_OF_SHARE ->
                    PlantedFault.eitherOf(
                            of(settings, clock),
                            of(new GatewayApi(0, settings.interval(), settings.minRetryRate()), clock));
                case EACH_TENTH_FREE -> PlantedFault.admittingEach(10, of(settings, clock));
            };
        }
    }

    /** Budgets that admit too little. */
    enum Mean implements Maker {
        DEPOSITS_ARE_LOST,
        SHARE_OF_FIRST_ATTEMPTS,
        NO_FLOOR,
        WINDOW_TOO_LONG,
        REFUSED_FOR_EVER;

        @Override
        public RetryBudget make(GatewayApi settings, JumpingClock clock) {
            return switch (this) {
                case DEPOSITS_ARE_LOST -> PlantedFault.losingEachSecondDeposit(of(settings, clock));
                case SHARE_OF_FIRST_ATTEMPTS ->
                    of(
                            new GatewayApi(
                                    100 * settings.percent() / (100 + settings.percent()),
                                    settings.interval(),
                                    settings.minRetryRate()),
                            clock);
                case NO_FLOOR ->
                    of(
                            new GatewayApi(
                                    settings.percent(), settings.interval(), new MinRetryRate(1, Duration.ofHours(1))),
                            clock);
                case WINDOW_TOO_LONG -> of(settings, PlantedFault.slow(clock));
                case REFUSED_FOR_EVER -> PlantedFault.refusingForEver(of(settings, clock));
            };
        }
    }

    private static RetryBudget of(GatewayApi settings, LongSupplier clock) {
        return RetryBudget.of(settings, clock);
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void a_budget_that_admits_too_much_is_detected(@ForAll Generous fault) {
        PlantedFault.assertFound(cases(true), given -> checkNoneTooMany(given, fault));
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void a_budget_that_admits_too_little_is_detected(@ForAll Mean fault) {
        PlantedFault.assertFound(cases(false), given -> checkNoneTooFew(given, fault));
    }

    /** The rule, counting the latest retry; {@code slack}, in slots, makes it stricter. */
    private static boolean allows(GatewayApi settings, Books books, int slack) {
        long interval = settings.interval().toNanos();
        long slot = interval / SLOTS;
        MinRetryRate floor = settings.minRetryRate();
        long floorInterval = floor.interval().toNanos();
        long retries = books.share.retriesWithin(interval + slack * slot);
        long firsts = books.share.firstsWithin(interval - slack * slot);
        long inFloor = books.floor.retriesWithin(floorInterval + slack * (floorInterval / SLOTS));
        long most = Math.max(floor.count(), floor.count() * interval / floorInterval);
        return (100 - settings.percent()) * retries <= settings.percent() * firsts
                || (inFloor <= floor.count() && retries <= most);
    }

    @Provide
    Arbitrary<Case> anyClock() {
        return cases(true);
    }

    @Provide
    Arbitrary<Case> forward() {
        return cases(false);
    }

    private static Arbitrary<Case> cases(boolean clockJumpsBack) {
        Arbitrary<Integer> percents = Arbitraries.of(0, 1, 20, 33, 50, 99, 100);
        Arbitrary<Duration> intervals = Arbitraries.of(1, 2, 10, 60, 3_600).map(seconds -> Duration.ofSeconds(seconds));
        Arbitrary<MinRetryRate> floors = Combinators.combine(
                        Arbitraries.of(1, 3, 10, 200),
                        Arbitraries.of(100L, 1_000L, 7_000L, 60_000L, 3_600_000L)
                                .map(Duration::ofMillis))
                .as(MinRetryRate::new);
        return Combinators.combine(percents, intervals, floors)
                .as(BudgetSettings.GatewayApi::new)
                .flatMap(settings -> Traffic.arbitrary(settings.interval(), clockJumpsBack)
                        .list()
                        .ofMinSize(1)
                        .ofMaxSize(40)
                        .map(traffic -> new Case(settings, traffic)));
    }
}
