package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two threads use one budget. */
class BudgetContentionTest {

    private static final int ROUNDS = 300;
    private static final int WISHES = 400;

    static List<BudgetSettings> everyKind() {
        return List.of(
                new GatewayApi(20, Duration.ofSeconds(10), new MinRetryRate(3, Duration.ofSeconds(1))),
                new Linkerd(0.29, 1, Duration.ofSeconds(10)));
    }

    @ParameterizedTest
    @MethodSource("everyKind")
    @Rule(
            id = "P23",
            says = "Two concurrent threads are admitted exactly as many retries as a single one, in every kind"
                    + " of budget.",
            source = "ours")
    void two_threads_are_admitted_as_much_as_one(BudgetSettings settings) throws Exception {
        checkSharedIsAsOne(clock -> RetryBudget.of(settings, clock));
    }

    private static void checkSharedIsAsOne(Function<JumpingClock, RetryBudget> maker) throws Exception {
        // given
        JumpingClock clock = new JumpingClock();
        JumpingClock clockOfOne = new JumpingClock();
        RetryBudget shared = maker.apply(clock);
        RetryBudget ofOne = maker.apply(clockOfOne);
        CyclicBarrier barrier = new CyclicBarrier(2);
        for (int round = 0; round < ROUNDS; round++) {
            clock.advance(Duration.ofMillis(137));
            clockOfOne.advance(Duration.ofMillis(137));
            // when
            long[] admitted = byTwo(barrier, () -> {
                for (int i = 0; i < 100; i++) {
                    shared.deposit();
                }
                return 0;
            });
            admitted = byTwo(barrier, () -> wishes(shared));
            IntStream.range(0, 200).forEach(i -> ofOne.deposit());
            // then
            assertThat(admitted[0] + admitted[1]).isEqualTo(wishes(ofOne) + wishes(ofOne));
        }
    }

    @Test
    void concurrent_deposits_never_admit_more_than_the_rule() throws Exception {
        // given
        JumpingClock clock = new JumpingClock();
        GatewayApi settings = new GatewayApi(20, Duration.ofSeconds(10), new MinRetryRate(1, Duration.ofHours(1)));
        checkAFifth(RetryBudget.of(settings, clock));
    }

    private static void checkAFifth(RetryBudget budget) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        long deposited = 0;
        long spent = 0;
        for (int round = 0; round < ROUNDS; round++) {
            // when
            long[] admitted = byTwo(barrier, () -> {
                long own = 0;
                for (int i = 0; i < WISHES; i++) {
                    budget.deposit();
                    own += budget.tryWithdraw().isPresent() ? 1 : 0;
                }
                return own;
            });
            deposited += 2 * WISHES;
            spent += admitted[0] + admitted[1];
            // then
            assertThat(80 * spent).isLessThanOrEqualTo(20 * deposited);
        }
        assertThat(spent).isEqualTo(deposited / 4);
    }

    @Test
    @Rule(
            id = "P24",
            says = "Changing the settings while two threads withdraw neither loses nor refunds withdrawals.",
            source = "ours")
    void concurrent_changes_of_settings_refund_nothing() throws Exception {
        JumpingClock clock = new JumpingClock();
        AdjustableBudget budget = new AdjustableBudget(new Linkerd(0.25, 0, Duration.ofSeconds(10)), clock);
        checkChangingGivesNothingBack(budget, budget::adjust);
    }

    private static void checkChangingGivesNothingBack(RetryBudget budget, Consumer<BudgetSettings> adjust)
            throws Exception {
        // given: a quarter of the first attempts, and no reserve
        CyclicBarrier barrier = new CyclicBarrier(2);
        IntStream.range(0, 100_000).forEach(i -> budget.deposit());
        // when
        long[] admitted = byTwo(barrier, () -> {
            long own = 0;
            for (int i = 0; i < 50_000; i++) {
                if (i % 500 == 0) {
                    adjust.accept(new Linkerd(0.25, 0, Duration.ofSeconds(10 + i / 500 % 7)));
                }
                own += budget.tryWithdraw().isPresent() ? 1 : 0;
            }
            return own;
        });
        // then
        assertThat(admitted[0] + admitted[1]).isEqualTo(25_000);
    }

    @Test
    void two_threads_on_a_moving_clock_never_exceed_the_rule() throws Exception {
        checkTrailingIntervals(RetryBudget::of);
    }

    @Test
    void miscounting_budgets_are_detected() {
        assertThatThrownBy(() -> checkSharedIsAsOne(clock -> PlantedFault.oneForEachThread(
                        () -> RetryBudget.of(everyKind().get(0), clock))))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> checkSharedIsAsOne(clock -> PlantedFault.lookingBeforeCounting()))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> checkAFifth(PlantedFault.lookingBeforeCounting()))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> checkTrailingIntervals(
                        (settings, clock) -> PlantedFault.oneForEachThread(() -> RetryBudget.of(settings, clock))))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() ->
                        checkTrailingIntervals((settings, clock) -> RetryBudget.of(settings, PlantedFault.fast(clock))))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void a_budget_that_restarts_with_new_settings_is_detected() {
        Supplier<RetryBudget> fresh = () -> {
            RetryBudget budget = RetryBudget.of(new Linkerd(0.25, 0, Duration.ofSeconds(10)), new JumpingClock());
            IntStream.range(0, 100_000).forEach(i -> budget.deposit());
            return budget;
        };
        AtomicReference<RetryBudget> current = new AtomicReference<>(fresh.get());
        RetryBudget forgetful = new RetryBudget() {
            @Override
            public InProgress deposit() {
                return current.get().deposit();
            }

            @Override
            public Optional<InProgress> tryWithdraw() {
                return current.get().tryWithdraw();
            }

            @Override
            public OptionalLong balance() {
                return current.get().balance();
            }
        };
        assertThatThrownBy(() -> checkChangingGivesNothingBack(forgetful, settings -> current.set(fresh.get())))
                .isInstanceOf(AssertionError.class);
    }

    /**
     * Two threads deposit, withdraw and advance the clock. Each event is known to lie between two readings of the
     * clock. Each retry is compared with the trailing interval of its admission, at any time in its span: retries count
     * if they certainly fell into it, first attempts if they may have.
     */
    private static void checkTrailingIntervals(BiFunction<GatewayApi, JumpingClock, RetryBudget> maker)
            throws Exception {
        GatewayApi settings = new GatewayApi(20, Duration.ofSeconds(1), new MinRetryRate(3, Duration.ofMillis(100)));
        JumpingClock clock = new JumpingClock();
        RetryBudget budget = maker.apply(settings, clock);
        List<TimeSpans> firsts = List.of(new TimeSpans(), new TimeSpans());
        List<TimeSpans> retries = List.of(new TimeSpans(), new TimeSpans());
        AtomicInteger threads = new AtomicInteger();
        byTwo(new CyclicBarrier(2), () -> {
            int own = threads.getAndIncrement();
            Random random = new Random(own);
            for (int i = 0; i < 40_000; i++) {
                if (random.nextInt(4) == 0) {
                    clock.advance(Duration.ofNanos(random.nextInt(2_000_000)));
                }
                long before = clock.getAsLong();
                if (random.nextInt(2) == 0) {
                    budget.deposit();
                    firsts.get(own).add(before, clock.getAsLong());
                } else if (budget.tryWithdraw().isPresent()) {
                    retries.get(own).add(before, clock.getAsLong());
                }
            }
            return 0;
        });
        TimeSpans allFirsts = TimeSpans.of(firsts);
        TimeSpans allRetries = TimeSpans.of(retries);
        assertThat(allRetries.size()).isGreaterThan(1_000);
        for (long[] retry : allRetries.all()) {
            long begun = retry[0];
            long ended = retry[1];
            int itself = begun == ended ? 0 : 1; // otherwise it is among those that certainly happened
            long interval = settings.interval().toNanos();
            long inShare = itself + allRetries.certainlyWithin(ended - interval, begun);
            long inFloor = itself
                    + allRetries.certainlyWithin(
                            ended - settings.minRetryRate().interval().toNanos(), begun);
            long most = allFirsts.perhapsWithin(begun - interval, ended);
            assertThat(80 * inShare <= 20 * most || (inShare <= 30 && inFloor <= 3))
                    .as("%d retries to %d first attempts, %d in the floor's interval", inShare, most, inFloor)
                    .isTrue();
        }
    }

    private static long wishes(RetryBudget budget) {
        return IntStream.range(0, WISHES / 2)
                .filter(i -> budget.tryWithdraw().isPresent())
                .count();
    }

    private static long[] byTwo(CyclicBarrier barrier, Callable<? extends Number> work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<Long>> results = IntStream.range(0, 2)
                    .mapToObj(i -> threads.submit(() -> {
                        barrier.await();
                        return work.call().longValue();
                    }))
                    .toList();
            return new long[] {results.get(0).get(), results.get(1).get()};
        }
    }
}
