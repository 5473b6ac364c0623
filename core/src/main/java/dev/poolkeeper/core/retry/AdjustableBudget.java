package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A budget whose settings may change while it is in use. What was spent stays spent, and what was deposited counts on,
 * each at its age, from one windowed kind or size to another; a shorter window forgets what it cannot see. Thread-safe.
 */
public final class AdjustableBudget implements RetryBudget {

    private final LongSupplier nanoTime;
    private volatile RetryBudget current;
    private BudgetSettings settings;
    private @Nullable WindowBudget lastWindow;

    /** @param nanoTime as for {@link RetryBudget#of} */
    public AdjustableBudget(BudgetSettings settings, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.settings = settings;
        this.current = RetryBudget.of(settings, nanoTime);
        this.lastWindow = current instanceof WindowBudget window ? window : null;
    }

    /** From now on these settings hold. The same ones change nothing. */
    public synchronized void adjust(BudgetSettings newSettings) {
        if (newSettings.equals(settings)) {
            return;
        }
        RetryBudget next = RetryBudget.of(newSettings, nanoTime);
        if (next instanceof WindowBudget window) {
            if (lastWindow != null) {
                window.takeOver(lastWindow);
            }
            lastWindow = window;
        }
        settings = newSettings;
        current = next;
    }

    /** The settings that hold. */
    public synchronized BudgetSettings settings() {
        return settings;
    }

    @Override
    public void deposit() {
        current.deposit();
    }

    @Override
    public boolean tryWithdraw() {
        while (true) {
            RetryBudget budget = current;
            if (!(budget instanceof WindowBudget window)) {
                return budget.tryWithdraw();
            }
            switch (window.withdraw()) {
                case ADMITTED -> {
                    return true;
                }
                case REFUSED -> {
                    return false;
                }
                case TAKEN_OVER -> waitForAdjustment();
            }
        }
    }

    /** Who adjusts holds the lock until the next budget can be asked. */
    private synchronized void waitForAdjustment() {}

    @Override
    public OptionalLong balance() {
        return current.balance();
    }

    @Override
    public void retryEnded() {
        current.retryEnded();
    }

    @Override
    public void exchangeEnded() {
        current.exchangeEnded();
    }

    @Override
    public String toString() {
        return current.toString();
    }
}
