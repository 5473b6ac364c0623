package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import net.jqwik.api.Arbitrary;

/** Budgets with a fault, to see the properties find it. */
final class PlantedFault {

    /** The rarest of these faults shows in one case of some hundreds; the search ends with the first. */
    private static final int SAMPLES = 20_000;

    private PlantedFault() {}

    /** Fails unless the check fails for one of many cases. */
    static <T> void assertFound(Arbitrary<T> cases, Consumer<T> check) {
        assertThat(cases.sampleStream().limit(SAMPLES).anyMatch(given -> fails(given, check)))
                .as("found")
                .isTrue();
    }

    private static <T> boolean fails(T given, Consumer<T> check) {
        try {
            check.accept(given);
            return false;
        } catch (AssertionError e) {
            return true;
        }
    }

    private abstract static class Wrapper implements RetryBudget {
        final RetryBudget budget;

        Wrapper(RetryBudget budget) {
            this.budget = budget;
        }

        @Override
        public void deposit() {
            budget.deposit();
        }

        @Override
        public boolean tryWithdraw() {
            return budget.tryWithdraw();
        }

        @Override
        public void retryEnded() {
            budget.retryEnded();
        }

        @Override
        public void exchangeEnded() {
            budget.exchangeEnded();
        }
    }

    static RetryBudget thatNothingEnds(RetryBudget right) {
        return new Wrapper(right) {
            @Override
            public void retryEnded() {}
        };
    }

    static RetryBudget countingDepositsTwice(RetryBudget right) {
        return new Wrapper(right) {
            @Override
            public void deposit() {
                budget.deposit();
                budget.deposit();
            }
        };
    }

    static RetryBudget losingEachSecondDeposit(RetryBudget right) {
        AtomicLong deposits = new AtomicLong();
        return new Wrapper(right) {
            @Override
            public void deposit() {
                if (deposits.getAndIncrement() % 2 == 0) {
                    budget.deposit();
                }
            }
        };
    }

    static RetryBudget depositingRefusals(RetryBudget right) {
        return new Wrapper(right) {
            @Override
            public boolean tryWithdraw() {
                boolean admitted = budget.tryWithdraw();
                if (!admitted) {
                    budget.deposit();
                }
                return admitted;
            }
        };
    }

    static RetryBudget admittingEach(int nth, RetryBudget right) {
        AtomicLong wishes = new AtomicLong();
        return new Wrapper(right) {
            @Override
            public boolean tryWithdraw() {
                return wishes.incrementAndGet() % nth == 0 || budget.tryWithdraw();
            }
        };
    }

    static RetryBudget eitherOf(RetryBudget right, RetryBudget other) {
        return new Wrapper(right) {
            @Override
            public boolean tryWithdraw() {
                return budget.tryWithdraw() || other.tryWithdraw();
            }
        };
    }

    static RetryBudget refusingForEver(RetryBudget right) {
        return new Wrapper(right) {
            private boolean refused;

            @Override
            public boolean tryWithdraw() {
                refused = refused || !budget.tryWithdraw();
                return !refused;
            }
        };
    }

    /** Every thread has its own, and all deposits go into each. */
    static RetryBudget oneForEachThread(Supplier<RetryBudget> makes) {
        RetryBudget first = makes.get();
        RetryBudget second = makes.get();
        AtomicLong threads = new AtomicLong();
        ThreadLocal<RetryBudget> own =
                ThreadLocal.withInitial(() -> threads.getAndIncrement() % 2 == 0 ? first : second);
        return new RetryBudget() {
            @Override
            public void deposit() {
                first.deposit();
                second.deposit();
            }

            @Override
            public boolean tryWithdraw() {
                return own.get().tryWithdraw();
            }
        };
    }

    /** A fifth of all requests; looks, then counts, and somebody else may look in between. */
    static RetryBudget lookingBeforeCounting() {
        return new RetryBudget() {
            private final AtomicLong firsts = new AtomicLong();
            private volatile long retries;

            @Override
            public void deposit() {
                firsts.incrementAndGet();
            }

            @Override
            public boolean tryWithdraw() {
                long found = retries;
                if (4 * (found + 1) > firsts.get()) {
                    return false;
                }
                Thread.yield();
                retries = found + 1;
                return true;
            }
        };
    }

    static RetryBudget forgivingOnJumpBack(LongSupplier clock, Supplier<RetryBudget> makes) {
        return new RetryBudget() {
            private RetryBudget budget = makes.get();
            private long last = clock.getAsLong();

            private RetryBudget current() {
                long now = clock.getAsLong();
                if (now < last) {
                    budget = makes.get();
                }
                last = now;
                return budget;
            }

            @Override
            public void deposit() {
                current().deposit();
            }

            @Override
            public boolean tryWithdraw() {
                return current().tryWithdraw();
            }
        };
    }

    static LongSupplier fast(LongSupplier clock) {
        return () -> clock.getAsLong() / 10 * 11;
    }

    static LongSupplier slow(LongSupplier clock) {
        return () -> clock.getAsLong() / 10 * 9;
    }

    static LongSupplier coarse(LongSupplier clock, long step) {
        return () -> Math.floorDiv(clock.getAsLong(), step) * step;
    }
}
