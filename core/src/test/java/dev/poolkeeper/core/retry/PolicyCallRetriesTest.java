package dev.poolkeeper.core.retry;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Decision.GiveUp;
import dev.poolkeeper.ports.CallRetries.Decision.Retry;
import dev.poolkeeper.ports.CallRetries.Exchange;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.RequestHead;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetryRoute;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PolicyCallRetriesTest {

    private static final Decision NOT_RETRIABLE = new GiveUp(Reason.NOT_RETRIABLE);
    private static final Decision TIMED_OUT = new GiveUp(Reason.TIMED_OUT);
    private static final Decision REFUSED = new GiveUp(Reason.BUDGET_REFUSED);
    private static final Decision EXHAUSTED = new GiveUp(Reason.ATTEMPTS_EXHAUSTED);

    private final FakeTime time = new FakeTime();

    private PolicyCallRetries retries(RetryPolicy policy) {
        return retries(policy, RetryBudget.ENDLESS);
    }

    private PolicyCallRetries retries(RetryPolicy policy, RetryBudget budget) {
        return new PolicyCallRetries(policy, budget, time);
    }

    private static RetryPolicy policy(int attempts, Duration backoff, Duration request, Duration backendRequest) {
        return new RetryPolicy(Set.of(500, 503), attempts, backoff, request, backendRequest);
    }

    @Test
    @Rule(
            id = "P50",
            says = "An exchange is retried at most retry.attempts times, not counting the first attempt; then"
                    + " the last failure is its result.",
            source = "GEP-1731: the Gateway MUST return an error")
    void attempts_limits_the_retries_of_an_exchange() {
        Exchange exchange = retries(policy(2, ofMillis(100), ZERO, ZERO)).begin(CallContext.unbound());
        assertThat(exchange.afterStatus(500)).isEqualTo(new Retry(ofMillis(150)));
        assertThat(exchange.afterStatus(503)).isEqualTo(new Retry(ofMillis(300)));
        assertThat(exchange.afterStatus(500)).isEqualTo(EXHAUSTED);
    }

    @Test
    @Rule(
            id = "P59",
            says = "If a response asks for a longer wait than the backoff, that wait applies; if it would"
                    + " exceed the request timeout, the exchange ends immediately without a withdrawal.",
            source = "RFC 9110, Retry-After")
    void a_requested_wait_is_the_minimum() {
        RetryBudget budget = RetryBudget.of(new Linkerd(0, 3, ofSeconds(1)), time::nanoTime);
        Exchange exchange =
                retries(policy(9, ofMillis(100), ofSeconds(60), ZERO), budget).begin(CallContext.unbound());
        assertThat(exchange.afterStatus(503, ofSeconds(7))).isEqualTo(new Retry(ofSeconds(7)));
        assertThat(exchange.afterStatus(503, ofMillis(1))).isEqualTo(new Retry(ofMillis(300)));
        assertThat(exchange.afterStatus(503, ofSeconds(60))).isEqualTo(TIMED_OUT);
        assertThat(budget.tryWithdraw()).isPresent();
        assertThat(budget.tryWithdraw()).isEmpty();
    }

    @Test
    @Rule(id = "P51", says = "A status that is not listed is not retried.", source = "GEP-1731")
    void a_status_that_is_not_listed_is_not_retried() {
        assertThat(retries(policy(3, ZERO, ZERO, ZERO))
                        .begin(CallContext.unbound())
                        .afterStatus(502))
                .isEqualTo(NOT_RETRIABLE);
    }

    @Test
    @Rule(
            id = "P52",
            says = "Connection errors are retried whenever there is a retry stanza, regardless of its codes.",
            source = "GEP-1731: SHOULD retry on connection errors if a retry stanza is configured")
    void connection_errors_are_retried_whatever_the_codes() {
        RetryPolicy noCodes = new RetryPolicy(Set.of(), 1, ZERO, ZERO, ZERO);
        assertThat(retries(noCodes).begin(CallContext.unbound()).afterConnectionError())
                .isEqualTo(new Retry(ZERO));
        assertThat(retries(RetryPolicy.OFF).begin(CallContext.unbound()).afterConnectionError())
                .isEqualTo(NOT_RETRIABLE);
    }

    @Test
    @Rule(
            id = "P53",
            says = "timeouts.request bounds all attempts and waits: no attempt gets more than the remaining"
                    + " time, and no retry starts whose wait would exceed it.",
            source = "GEP-1731: the entire duration MUST not exceed the Request timeout")
    void the_request_timeout_bounds_attempts_and_waits() {
        Exchange exchange =
                retries(policy(9, ofMillis(100), ofSeconds(1), ofMillis(600))).begin(CallContext.unbound());
        assertThat(exchange.attemptTimeout()).contains(ofMillis(600));
        time.advance(ofMillis(600));
        assertThat(exchange.afterConnectionError()).isEqualTo(new Retry(ofMillis(150)));
        time.advance(ofMillis(150));
        assertThat(exchange.attemptTimeout()).contains(ofMillis(250));
        assertThat(exchange.afterStatus(500)).isEqualTo(TIMED_OUT);
    }

    @Test
    void an_exceeded_deadline_is_reported_even_if_the_error_is_not_retriable() {
        Exchange exchange = retries(policy(9, ZERO, ofSeconds(1), ZERO)).begin(CallContext.unbound());
        time.advance(ofSeconds(1));
        assertThat(exchange.attemptTimeout()).contains(ZERO);
        assertThat(exchange.afterStatus(404)).isEqualTo(TIMED_OUT);
    }

    @Test
    @Rule(id = "P54", says = "0s switches a timeout off.", source = "GEP-1742: 0s SHOULD disable the timeout")
    void zero_is_no_limit() {
        Exchange exchange = retries(policy(1, ZERO, ZERO, ZERO)).begin(CallContext.unbound());
        time.advance(Duration.ofDays(1));
        assertThat(exchange.attemptTimeout()).isEmpty();
        assertThat(exchange.afterStatus(500)).isEqualTo(new Retry(ZERO));
    }

    @Test
    @Rule(
            id = "P55",
            says = "Each first attempt deposits and each retry withdraws; a retry that the budget refuses is"
                    + " not sent, and the failure says so.",
            source = "BackendTrafficPolicy: each retry counts; additional retries will be rejected")
    void first_attempts_deposit_and_retries_withdraw() {
        PolicyCallRetries retries =
                retries(policy(9, ZERO, ZERO, ZERO), RetryBudget.of(new Linkerd(1, 0, ofSeconds(10)), time::nanoTime));
        Exchange first = retries.begin(CallContext.unbound());
        Exchange second = retries.begin(CallContext.unbound());
        assertThat(first.afterStatus(500)).isEqualTo(new Retry(ZERO));
        assertThat(first.afterStatus(500)).isEqualTo(new Retry(ZERO));
        assertThat(first.afterStatus(500)).isEqualTo(REFUSED);
        assertThat(second.afterStatus(500)).isEqualTo(REFUSED);
    }

    @Test
    void an_attempt_not_retried_for_another_reason_withdraws_nothing() {
        PolicyCallRetries retries = retries(
                policy(1, ofSeconds(2), ofSeconds(1), ZERO),
                RetryBudget.of(new Linkerd(0, 1, ofSeconds(1)), time::nanoTime));
        assertThat(retries.begin(CallContext.unbound()).afterStatus(500)).isEqualTo(TIMED_OUT);
        assertThat(retries.begin(CallContext.unbound()).afterStatus(502)).isEqualTo(NOT_RETRIABLE);
        retries.adjust(RetrySettings.of(policy(1, ZERO, ZERO, ZERO)));
        assertThat(retries.begin(CallContext.unbound()).afterStatus(500)).isEqualTo(new Retry(ZERO));
    }

    @Test
    @Rule(
            id = "P56",
            says = "A call that repeats one of an earlier tick counts entirely as a retry: its first attempts"
                    + " deposit nothing.",
            source = "ours")
    void first_attempts_of_a_retry_across_ticks_deposit_nothing() {
        PolicyCallRetries retries =
                retries(policy(9, ZERO, ZERO, ZERO), RetryBudget.of(new Linkerd(1, 0, ofSeconds(10)), time::nanoTime));
        CallContext again = new CallContext(Term.untilEnded(), true, null);
        assertThat(retries.begin(again).afterStatus(500)).isEqualTo(REFUSED);
        assertThat(retries.begin(again).afterConnectionError()).isEqualTo(REFUSED);
        assertThat(retries.begin(CallContext.unbound()).afterStatus(500)).isEqualTo(new Retry(ZERO));
    }

    @Test
    @Rule(
            id = "P58",
            says = "No attempt is repeated once the term as leader that the call belongs to, or its hold of the"
                    + " resource lock, has ended; calls that belong to no term, such as listings, are not"
                    + " affected.",
            source = "Kubernetes: leader election")
    void nothing_is_retried_after_the_term() {
        PolicyCallRetries retries = retries(policy(9, ZERO, ZERO, ZERO));
        Term term = Term.untilEnded();
        Exchange ofTheTerm = retries.begin(new CallContext(term, false, null));
        Exchange listing = retries.begin(CallContext.unbound());
        assertThat(ofTheTerm.afterStatus(500)).isEqualTo(new Retry(ZERO));

        term.end();

        assertThat(ofTheTerm.afterStatus(500)).isEqualTo(new GiveUp(Reason.FENCED));
        assertThat(ofTheTerm.afterStatus(400)).as("not because of the term").isEqualTo(NOT_RETRIABLE);
        assertThat(listing.afterStatus(500)).isEqualTo(new Retry(ZERO));
    }

    /** Admits as many retries in progress as there are exchanges in progress. */
    private static final class OneForEachExchange implements RetryBudget {
        private int left;

        @Override
        public InProgress deposit() {
            left++;
            return () -> left--;
        }

        @Override
        public Optional<InProgress> tryWithdraw() {
            if (left == 0) {
                return Optional.empty();
            }
            left--;
            return Optional.of(() -> left++);
        }

        @Override
        public OptionalLong balance() {
            return OptionalLong.of(left);
        }
    }

    @Test
    void a_budget_of_concurrent_retries_is_notified_of_every_end() {
        RetryBudget budget = new OneForEachExchange();
        PolicyCallRetries retries = retries(policy(1, ZERO, ZERO, ZERO), budget);
        for (int i = 0; i < 5; i++) {
            Exchange exchange = retries.begin(CallContext.unbound());
            assertThat(exchange.afterStatus(500)).isEqualTo(new Retry(ZERO));
            assertThat(budget.tryWithdraw()).isEmpty();
            exchange.end();
            exchange.end();
            assertThat(budget.balance()).hasValue(0);
        }
    }

    @Test
    @Rule(id = "P57", says = "A changed policy applies to exchanges that begin afterwards.", source = "ours")
    void a_new_policy_applies_to_new_exchanges() {
        PolicyCallRetries retries = retries(policy(1, ZERO, ZERO, ZERO));
        Exchange running = retries.begin(CallContext.unbound());
        retries.adjust(RetrySettings.of(RetryPolicy.OFF));
        assertThat(running.afterStatus(500)).isEqualTo(new Retry(ZERO));
        assertThat(retries.begin(CallContext.unbound()).afterStatus(500)).isEqualTo(NOT_RETRIABLE);
    }

    @Test
    @Rule(
            id = "P88",
            says = "A request uses the policy of the first matching route, and all routes share one budget.",
            source = "HTTPRoute, rules.matches; GEP-3388: across all routes")
    void a_request_gets_the_policy_of_its_route() {
        RetryBudget budget = RetryBudget.of(new Linkerd(0, 1, ofSeconds(1)), time::nanoTime);
        PolicyCallRetries retries = retries(RetryPolicy.OFF, budget);
        retries.adjust(new RetrySettings(
                List.of(
                        new RetryRoute(request -> request.method().equals("GET"), policy(1, ZERO, ZERO, ZERO)),
                        new RetryRoute(request -> request.path().startsWith("/pools/"), policy(2, ZERO, ZERO, ZERO))),
                RetryPolicy.OFF,
                Optional.empty()));

        assertThat(after500(retries, "DELETE", "/poolside")).isEqualTo(NOT_RETRIABLE);
        assertThat(after500(retries, "GET", "/anything")).isEqualTo(new Retry(ZERO));
        assertThat(after500(retries, "PUT", "/pools/web")).isEqualTo(REFUSED);
        assertThat(retries.begin(CallContext.unbound()).afterStatus(500)).isEqualTo(NOT_RETRIABLE);
    }

    private static Decision after500(PolicyCallRetries retries, String method, String path) {
        return retries.begin(CallContext.unbound(), RequestHead.of(method, path, ""))
                .afterStatus(500);
    }
}
