package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import net.jqwik.api.Arbitrary;

/** Faulty budgets, which the properties must detect. */
final class PlantedFault {

    /** The rarest of these faults appears in one of some hundred cases; the search ends at the first. */
    private static final int SAMPLES = 20_000;

    private static final InProgress NOTHING = () -> {};

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
        public InProgress deposit() {
            return budget.deposit();
        }

        @Override
        public Optional<InProgress> tryWithdraw() {
            return budget.tryWithdraw();
        }

        @Override
        public OptionalLong balance() {
            return budget.balance();
        }
    }

    static RetryBudget countingDepositsTwice(RetryBudget right) {
        return new Wrapper(right) {
            @Override
            public InProgress deposit() {
                InProgress first = budget.deposit();
                InProgress second = budget.deposit();
                return () -> {
                    first.close();
                    second.close();
                };
            }
        };
    }

    static RetryBudget losingEachSecondDeposit(RetryBudget right) {
        AtomicLong deposits = new AtomicLong();
        return new Wrapper(right) {
            @Override
            public InProgress deposit() {
                return deposits.getAndIncrement() % 2 == 0 ? budget.deposit() : NOTHING;
            }
        };
    }

    static RetryBudget depositingRefusals(RetryBudget right) {
        return new Wrapper(right) {
            @Override
            public Optional<InProgress> tryWithdraw() {
                Optional<InProgress> admitted = budget.tryWithdraw();
                if (admitted.isEmpty()) {
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
            public Optional<InProgress> tryWithdraw() {
                return wishes.incrementAndGet() % nth == 0 ? Optional.of(NOTHING) : budget.tryWithdraw();
            }
        };
    }

    static RetryBudget eitherOf(RetryBudget right, RetryBudget other) {
        return new Wrapper(right) {
            @Override
            public Optional<InProgress> tryWithdraw() {
                return budget.tryWithdraw().or(other::tryWithdraw);
            }
        };
    }

    static RetryBudget refusingForEver(RetryBudget right) {
        return new Wrapper(right) {
            private boolean refused;

            @Override
            public Optional<InProgress> tryWithdraw() {
                Optional<InProgress> admitted = refused ? Optional.empty() : budget.tryWithdraw();
                refused = admitted.isEmpty();
                return admitted;
            }
        };
    }

    /** One budget per thread; every deposit goes into all of them. */
    static RetryBudget oneForEachThread(Supplier<RetryBudget> makes) {
        RetryBudget first = makes.get();
        RetryBudget second = makes.get();
        AtomicLong threads = new AtomicLong();
        ThreadLocal<RetryBudget> own =
                ThreadLocal.withInitial(() -> threads.getAndIncrement() % 2 == 0 ? first : second);
        return new RetryBudget() {
            @Override
            public InProgress deposit() {
                first.deposit();
                second.deposit();
                return NOTHING;
            }

            @Override
            public Optional<InProgress> tryWithdraw() {
                return own.get().tryWithdraw();
            }

            @Override
            public OptionalLong balance() {
                return own.get().balance();
            }
        };
    }

    /** A fifth of all requests; checks, then counts, so that another caller may check in between. */
    static RetryBudget lookingBeforeCounting() {
        return new RetryBudget() {
            private final AtomicLong firsts = new AtomicLong();
            private volatile long retries;

            @Override
            public InProgress deposit() {
                firsts.incrementAndGet();
                return NOTHING;
            }

            @Override
            public Optional<InProgress> tryWithdraw() {
                long found = retries;
                if (4 * (found + 1) > firsts.get()) {
                    return Optional.empty();
                }
                Thread.yield();
                retries = found + 1;
                return Optional.of(NOTHING);
            }

            @Override
            public OptionalLong balance() {
                return OptionalLong.empty();
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
            public InProgress deposit() {
                return current().deposit();
            }

            @Override
            public Optional<InProgress> tryWithdraw() {
                return current().tryWithdraw();
            }

            @Override
            public OptionalLong balance() {
                return current().balance();
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
