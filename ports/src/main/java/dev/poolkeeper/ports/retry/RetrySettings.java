package dev.poolkeeper.ports.retry;

/**
 * All that is set about retries inside calls, and about the budget of all retries.
 *
 * @param policy when an exchange is retried
 * @param budget how many retries there may be together
 */
public record RetrySettings(RetryPolicy policy, BudgetSettings budget) {

    /** Where nothing is set. */
    public static final RetrySettings DEFAULT = new RetrySettings(RetryPolicy.DEFAULT, BudgetSettings.DEFAULT);
}
