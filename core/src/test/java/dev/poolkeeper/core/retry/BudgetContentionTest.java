package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.Envoy;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two threads at one budget. */
class BudgetContentionTest {

    private static final int ROUNDS = 300;
    private static final int WISHES = 400;

    static List<BudgetSettings> everyKind() {
        return List.of(
                new GatewayApi(20, Duration.ofSeconds(10), new MinRetryRate(3, Duration.ofSeconds(1))),
                new Linkerd(0.29, 1, Duration.ofSeconds(10)),
                new Envoy(20, 3));
    }

    @ParameterizedTest
    @MethodSource("everyKind")
    @Rule(
            id = "P23",
            says = "Two threads that ask at once are admitted exactly as many retries as one would be, in every kind of"
                    + " budget.",
            source = "DESIGN section 4")
    void two_threads_are_admitted_what_one_would_be(BudgetSettings settings) throws Exception {
        // given
        TestClock clock = new TestClock();
        TestClock clockOfOne = new TestClock();
        RetryBudget shared = RetryBudget.of(settings, clock);
        RetryBudget ofOne = RetryBudget.of(settings, clockOfOne);
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
    void deposits_that_come_in_between_never_make_for_more_than_the_rule_allows() throws Exception {
        // given
        TestClock clock = new TestClock();
        GatewayApi settings = new GatewayApi(20, Duration.ofSeconds(10), new MinRetryRate(1, Duration.ofHours(1)));
        RetryBudget budget = new GatewayApiBudget(settings, clock);
        CyclicBarrier barrier = new CyclicBarrier(2);
        long deposited = 0;
        long spent = 0;
        for (int round = 0; round < ROUNDS; round++) {
            // when
            long[] admitted = byTwo(barrier, () -> {
                long own = 0;
                for (int i = 0; i < WISHES; i++) {
                    budget.deposit();
                    own += budget.tryWithdraw() ? 1 : 0;
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
            says = "Settings that change while two threads spend neither lose nor give back what was spent.",
            source = "DESIGN section 4")
    void settings_that_change_in_between_give_nothing_back() throws Exception {
        // given: both kinds allow a fifth of the requests and next to no floor
        TestClock clock = new TestClock();
        AdjustableBudget budget = new AdjustableBudget(new Linkerd(0.25, 0, Duration.ofSeconds(10)), clock);
        CyclicBarrier barrier = new CyclicBarrier(2);
        IntStream.range(0, 100_000).forEach(i -> budget.deposit());
        // when
        long[] admitted = byTwo(barrier, () -> {
            long own = 0;
            for (int i = 0; i < 50_000; i++) {
                if (i % 500 == 0) {
                    budget.adjust(new Linkerd(0.25, 0, Duration.ofSeconds(10 + i / 500 % 7)));
                }
                own += budget.tryWithdraw() ? 1 : 0;
            }
            return own;
        });
        // then
        assertThat(admitted[0] + admitted[1]).isEqualTo(25_000);
    }

    private static long wishes(RetryBudget budget) {
        return IntStream.range(0, WISHES / 2).filter(i -> budget.tryWithdraw()).count();
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
