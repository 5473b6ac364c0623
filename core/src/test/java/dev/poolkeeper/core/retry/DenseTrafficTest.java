package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Traffic so dense that not every deposit reads the clock. */
class DenseTrafficTest {

    /** A fifth of the first attempts; slots of a second. */
    private static final Linkerd SETTINGS = new Linkerd(0.2, 0, Duration.ofSeconds(10));

    private static final int[] FIRSTS = {0, 3, 7, 60, WindowBudget.DENSE + 1_000, 3 * WindowBudget.DENSE};

    @Test
    void at_most_a_sample_of_first_attempts_is_missed_and_none_made_up() {
        long missed = LongStream.range(0, 60)
                .map(seed -> checkAndCountMissed(seed, clock -> new LinkerdBudget(SETTINGS, clock)))
                .sum();
        assertThat(missed).isPositive(); // so such traffic was there
    }

    @Test
    void a_budget_that_misses_more_is_found() {
        assertThatThrownBy(() -> LongStream.range(0, 60)
                        .map(seed -> checkAndCountMissed(
                                seed,
                                clock -> PlantedFault.losingEachSecondDeposit(new LinkerdBudget(SETTINGS, clock))))
                        .sum())
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void a_budget_that_makes_some_up_is_found() {
        assertThatThrownBy(() -> LongStream.range(0, 60)
                        .map(seed -> checkAndCountMissed(
                                seed, clock -> PlantedFault.depositingRefusals(new LinkerdBudget(SETTINGS, clock))))
                        .sum())
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void in_dense_traffic_few_deposits_read_the_clock() {
        // given
        TestClock clock = new TestClock();
        AtomicLong reads = new AtomicLong();
        RetryBudget budget = new LinkerdBudget(SETTINGS, () -> {
            reads.incrementAndGet();
            return clock.getAsLong();
        });
        deposit(budget, 20_000);
        clock.advance(Duration.ofSeconds(1));
        deposit(budget, 1);
        long before = reads.get();
        // when
        deposit(budget, 8_000);
        // then
        assertThat(reads.get() - before).isEqualTo(8_000 / WindowBudget.BATCH);
    }

    @Test
    void what_several_threads_deposit_is_counted_once_when_the_slot_is_over() throws Exception {
        // given
        TestClock clock = new TestClock();
        RetryBudget budget = new LinkerdBudget(SETTINGS, clock);
        deposit(budget, 20_000);
        clock.advance(Duration.ofSeconds(1));
        // when
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(i -> Thread.ofPlatform().start(() -> deposit(budget, 10_001)))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        clock.advance(Duration.ofSeconds(1));
        // then
        long admitted = LongStream.generate(() -> budget.tryWithdraw() ? 1 : 0)
                .takeWhile(one -> one == 1)
                .sum();
        assertThat(admitted).isEqualTo((20_000 + 4 * 10_001) / 5);
    }

    @Test
    void cells_give_out_what_threads_put_in_once() throws Exception {
        DepositCells cells = new DepositCells();
        List<Thread> threads = IntStream.range(0, 20)
                .mapToObj(i -> Thread.ofPlatform()
                        .start(() -> IntStream.range(0, 1_000).forEach(j -> cells.add())))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(cells.takeAll()).isEqualTo(20_000);
        assertThat(cells.takeAll()).isZero();
        assertThat(cells.add()).isEqualTo(1);
        assertThat(cells.add()).isEqualTo(2);
    }

    private static long checkAndCountMissed(long seed, Function<TestClock, RetryBudget> maker) {
        Random random = new Random(seed);
        TestClock clock = new TestClock();
        long origin = clock.getAsLong();
        RetryBudget budget = maker.apply(clock);
        TreeMap<Long, long[]> slots = new TreeMap<>();
        long missed = 0;
        for (int step = 0; step < 60; step++) {
            long slot = (clock.getAsLong() - origin) / Duration.ofSeconds(1).toNanos();
            long[] counts = slots.computeIfAbsent(slot, key -> new long[2]);
            int firsts = FIRSTS[random.nextInt(FIRSTS.length)];
            deposit(budget, firsts);
            counts[0] += firsts;
            if (random.nextInt(3) == 0) {
                while (budget.tryWithdraw()) {
                    counts[1]++;
                }
                long inWindow = sum(slots, slot, 0);
                long retries = sum(slots, slot, 1);
                assertThat(retries).isLessThanOrEqualTo(Math.max(inWindow / 5, retries - counts[1]));
                assertThat(retries).isGreaterThanOrEqualTo((inWindow - 2 * WindowBudget.BATCH) / 5);
                missed += Math.max(0, inWindow / 5 - retries);
            }
            clock.advance(Duration.ofMillis(random.nextInt(random.nextBoolean() ? 1_500 : 12_000)));
        }
        return missed;
    }

    private static void deposit(RetryBudget budget, int count) {
        for (int i = 0; i < count; i++) {
            budget.deposit();
        }
    }

    private static long sum(TreeMap<Long, long[]> slots, long slot, int what) {
        return slots.tailMap(slot - 10, false).values().stream()
                .mapToLong(counts -> counts[what])
                .sum();
    }
}
