package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.schedules.Schedules;
import dev.poolkeeper.ports.retry.BudgetSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Lincheck tries the interleavings of calls that deposit and withdraw. */
class BudgetLincheckTest {

    @Test
    @Rule(
            id = "X3",
            says = "Concurrent deposits and withdrawals are admitted as if they had been made one after"
                    + " another, in every kind of budget.",
            source = "ours")
    void concurrent_withdrawals_are_admitted_as_sequential_ones() {
        Schedules.options().check(GatewayApi.class);
        Schedules.options().check(Linkerd.class);
        Schedules.options().check(Adjusted.class);
    }

    @Test
    void a_check_then_act_budget_is_detected() {
        assertThatThrownBy(() -> Schedules.options().check(Overdrawn.class)).isInstanceOf(LincheckAssertionError.class);
    }

    /** The calls of exchanges, at one instant. */
    public abstract static class Calls {

        private final RetryBudget budget = budget();

        abstract RetryBudget budget();

        @Operation
        public void deposit() {
            budget.deposit();
        }

        @Operation
        public boolean tryWithdraw() {
            return budget.tryWithdraw().isPresent();
        }
    }

    public static final class GatewayApi extends Calls {
        @Override
        RetryBudget budget() {
            return RetryBudget.of(
                    new BudgetSettings.GatewayApi(
                            50, Duration.ofSeconds(10), new BudgetSettings.MinRetryRate(1, Duration.ofSeconds(1))),
                    () -> 0);
        }
    }

    public static final class Linkerd extends Calls {
        @Override
        RetryBudget budget() {
            return RetryBudget.of(new BudgetSettings.Linkerd(0.5, 1, Duration.ofSeconds(1)), () -> 0);
        }
    }

    /** With one thread that changes the settings. */
    public static final class Adjusted {

        private final AdjustableBudget budget = new AdjustableBudget(reserve(1), () -> 0);

        private static BudgetSettings reserve(int retries) {
            return new BudgetSettings.Linkerd(0.5, retries, Duration.ofSeconds(1));
        }

        @Operation
        public void deposit() {
            budget.deposit();
        }

        @Operation
        public boolean tryWithdraw() {
            return budget.tryWithdraw().isPresent();
        }

        @Operation(nonParallelGroup = "settings")
        public void raise() {
            budget.adjust(reserve(2));
        }

        @Operation(nonParallelGroup = "settings")
        public void lower() {
            budget.adjust(reserve(1));
        }
    }

    /** The planted fault. */
    public static final class Overdrawn extends Calls {
        @Override
        RetryBudget budget() {
            return new LooksBeforeItTakes();
        }
    }

    private static final class LooksBeforeItTakes implements RetryBudget {
        private int left = 1;

        @Override
        public InProgress deposit() {
            return () -> {};
        }

        @Override
        public Optional<InProgress> tryWithdraw() {
            if (left == 0) {
                return Optional.empty();
            }
            left--;
            return Optional.of(() -> {});
        }

        @Override
        public OptionalLong balance() {
            return OptionalLong.empty();
        }
    }
}
