package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Exchange;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.retry.Backoff;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * One exchange: what fails is retried while the policy lists it, its term lasts, attempts are left, the wait ends before the request's
 * time does, and the budget admits it; asked in this order, so that only a retry that will be sent is withdrawn.
 */
final class PolicyExchange implements Exchange {

    private final RetryPolicy policy;
    private final Backoff backoff;
    private final RetryBudget budget;
    private final CallContext context;
    private final LongSupplier nanoTime;
    private final DoubleSupplier draws;
    private final long begun;
    private int retries;
    private boolean inRetry;
    private boolean ended;

    PolicyExchange(
            PolicyCallRetries.Rule rule,
            RetryBudget budget,
            CallContext context,
            LongSupplier nanoTime,
            DoubleSupplier draws) {
        this.policy = rule.policy();
        this.backoff = rule.backoff();
        this.budget = budget;
        this.context = context;
        this.nanoTime = nanoTime;
        this.draws = draws;
        this.begun = nanoTime.getAsLong();
    }

    @Override
    public Optional<Duration> attemptTimeout() {
        Optional<Duration> ofAttempt = Optional.of(policy.backendRequest()).filter(Duration::isPositive);
        if (policy.request().isZero()) {
            return ofAttempt;
        }
        Duration left = left();
        return Optional.of(ofAttempt.filter(limit -> limit.compareTo(left) < 0).orElse(left));
    }

    /** Of the whole exchange; not positive where there is none. A clock that goes back gives no time away. */
    private Duration left() {
        return policy.request().minusNanos(Math.max(0, nanoTime.getAsLong() - begun));
    }

    @Override
    public Decision afterStatus(int status) {
        return after(policy.retries(status));
    }

    @Override
    public Decision afterConnectionError() {
        return after(policy.isOn());
    }

    private Decision after(boolean retriable) {
        attemptEnded();
        if (!policy.request().isZero() && !left().isPositive()) {
            return giveUp(Reason.TIMED_OUT);
        }
        if (!retriable || !context.term().isCurrent()) {
            return giveUp(Reason.NOT_RETRIABLE);
        }
        if (retries >= policy.attempts()) {
            return giveUp(Reason.ATTEMPTS_EXHAUSTED);
        }
        Duration wait = backoff.before(retries + 1, draws.getAsDouble());
        if (!policy.request().isZero() && wait.compareTo(left()) >= 0) {
            return giveUp(Reason.TIMED_OUT);
        }
        if (!budget.tryWithdraw()) {
            return giveUp(Reason.BUDGET_REFUSED);
        }
        retries++;
        inRetry = true;
        return new Decision.Retry(wait);
    }

    private Decision giveUp(Reason reason) {
        end();
        return new Decision.GiveUp(reason);
    }

    private void attemptEnded() {
        if (inRetry) {
            inRetry = false;
            budget.retryEnded();
        }
    }

    @Override
    public void end() {
        attemptEnded();
        if (!ended) {
            ended = true;
            if (!context.isRetry()) {
                budget.exchangeEnded();
            }
        }
    }
}
