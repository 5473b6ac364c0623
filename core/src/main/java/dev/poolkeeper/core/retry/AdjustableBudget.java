package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A budget whose settings may change while it is in use. Deposits and withdrawals keep their age when the settings
 * change between windowed kinds or sizes; a shorter window forgets those that are older than the window.
 *
 * <p>One lock guards all state and is held only while counting. Allocates nothing. Thread-safe.
 */
final class AdjustableBudget implements RetryBudget {

    private final LongSupplier nanoTime;
    private final Object lock = new Object();
    private final Load load = new Load();
    private final InProgress exchange = this::exchangeEnded;
    private final Optional<InProgress> admitted = Optional.of(this::retryEnded);
    private BudgetSettings settings;
    private Allowance allowance;
    private @Nullable WindowAllowance lastWindow;
    private long refused;

    /** @param nanoTime see {@link RetryBudget#of} */
    AdjustableBudget(BudgetSettings settings, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.settings = settings;
        this.allowance = allowance(settings);
    }

    /** Applies new settings. Equal settings have no effect. */
    void adjust(BudgetSettings newSettings) {
        synchronized (lock) {
            if (!newSettings.equals(settings)) {
                settings = newSettings;
                allowance = allowance(newSettings);
            }
        }
    }

    private Allowance allowance(BudgetSettings of) {
        return switch (of) {
            case BudgetSettings.GatewayApi gatewayApi -> continued(WindowAllowance.of(gatewayApi, nanoTime));
            case BudgetSettings.Linkerd linkerd -> continued(WindowAllowance.of(linkerd, nanoTime));
            case BudgetSettings.Envoy envoy -> new EnvoyAllowance(envoy, load);
            case BudgetSettings.None none -> Allowance.NONE;
            case BudgetSettings.Endless endless -> Allowance.ENDLESS;
        };
    }

    private Allowance continued(WindowAllowance window) {
        if (lastWindow != null) {
            window.inherit(lastWindow);
        }
        lastWindow = window;
        return window;
    }

    @Override
    public InProgress deposit() {
        long now = nanoTime.getAsLong();
        synchronized (lock) {
            load.exchanges++;
            allowance.deposit(now);
        }
        return exchange;
    }

    @Override
    public Optional<InProgress> tryWithdraw() {
        long now = nanoTime.getAsLong();
        synchronized (lock) {
            if (!allowance.tryWithdraw(now)) {
                refused++;
                return Optional.empty();
            }
            load.retries++;
            return admitted;
        }
    }

    private void exchangeEnded() {
        synchronized (lock) {
            load.exchanges--;
        }
    }

    private void retryEnded() {
        synchronized (lock) {
            load.retries--;
        }
    }

    @Override
    public OptionalLong balance() {
        long now = nanoTime.getAsLong();
        synchronized (lock) {
            return allowance.balance(now);
        }
    }

    /** The number of refused withdrawals. */
    long refused() {
        synchronized (lock) {
            return refused;
        }
    }

    /** The current settings. */
    BudgetSettings settings() {
        synchronized (lock) {
            return settings;
        }
    }

    /** The kind and settings, for people. */
    @Override
    public String toString() {
        return switch (settings()) {
            case BudgetSettings.GatewayApi gatewayApi -> "Gateway API retry budget " + gatewayApi;
            case BudgetSettings.Linkerd linkerd -> "Linkerd retry budget " + linkerd;
            case BudgetSettings.Envoy envoy -> "Envoy retry budget " + envoy;
            case BudgetSettings.None none -> "no retry budget";
            case BudgetSettings.Endless endless -> "endless retry budget";
        };
    }
}
