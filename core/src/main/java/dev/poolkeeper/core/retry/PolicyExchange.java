package dev.poolkeeper.core.retry;

import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Exchange;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.Backoff;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One exchange. A failed attempt is retried if the policy lists the failure, the term lasts, attempts are left, the
 * wait ends before the request times out, and the budget admits the retry. The conditions are checked in this order, so
 * that only a retry that will be sent is withdrawn.
 */
final class PolicyExchange implements Exchange {

    private final RetryPolicy policy;
    private final RetryBudget budget;
    private final Term term;
    private final Time time;
    private final long begun;
    private @Nullable InProgress exchange;
    private @Nullable InProgress retry;
    private int retries;

    /**
     * @param exchange closed when the exchange ends
     * @param term no attempt is repeated after it has ended
     */
    PolicyExchange(RetryPolicy policy, RetryBudget budget, InProgress exchange, Term term, Time time) {
        this.policy = policy;
        this.budget = budget;
        this.exchange = exchange;
        this.term = term;
        this.time = time;
        this.begun = time.nanoTime();
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

    /**
     * The time left for the whole exchange; not positive if none is left. A clock that goes back does not extend it.
     */
    private Duration left() {
        return policy.request().minusNanos(Math.max(0, time.nanoTime() - begun));
    }

    @Override
    public Decision afterStatus(int status, Duration retryAfter) {
        return after(policy.retries(status), retryAfter);
    }

    @Override
    public Decision afterConnectionError() {
        return after(policy.isOn(), Duration.ZERO);
    }

    private Decision after(boolean retriable, Duration atLeast) {
        attemptEnded();
        if (!policy.request().isZero() && !left().isPositive()) {
            return giveUp(Reason.TIMED_OUT);
        }
        if (!retriable) {
            return giveUp(Reason.NOT_RETRIABLE);
        }
        if (!term.isCurrent()) {
            return giveUp(Reason.FENCED);
        }
        if (retries >= policy.attempts()) {
            return giveUp(Reason.ATTEMPTS_EXHAUSTED);
        }
        Duration backedOff = Backoff.atLeast(policy.backoff()).before(retries + 1, time.draw());
        Duration wait = backedOff.compareTo(atLeast) > 0 ? backedOff : atLeast;
        if (!policy.request().isZero() && wait.compareTo(left()) >= 0) {
            return giveUp(Reason.TIMED_OUT);
        }
        retry = budget.tryWithdraw().orElse(null);
        if (retry == null) {
            return giveUp(Reason.BUDGET_REFUSED);
        }
        retries++;
        return new Decision.Retry(wait);
    }

    private Decision giveUp(Reason reason) {
        end();
        return new Decision.GiveUp(reason);
    }

    private void attemptEnded() {
        if (retry != null) {
            retry.close();
            retry = null;
        }
    }

    @Override
    public void end() {
        attemptEnded();
        if (exchange != null) {
            exchange.close();
            exchange = null;
        }
    }
}
