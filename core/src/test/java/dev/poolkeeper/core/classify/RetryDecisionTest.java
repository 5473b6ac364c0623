package dev.poolkeeper.core.classify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.retry.MaxRetries;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RetryDecisionTest {

    private static final Instant NOW = Instant.ofEpochSecond(1000);
    private static final PendingOperation FRESH = PendingOperation.fresh(
            new Operation.Replace(new ServiceName("shop", "web"), PoolKey.of("lb-1", "shop-web"), AddressSet.empty()),
            7,
            Instant.EPOCH);

    /** Every error status, without a code, and the failures that are not a status. */
    static Stream<Arguments> classes() {
        Stream<Arguments> statuses = IntStream.rangeClosed(400, 599)
                .mapToObj(status -> Arguments.of(
                        Failure.ofStatus(status, null, ArmError.ofStatus(status)),
                        switch (status) {
                            case 404 -> FailureClass.STALE;
                            case 409, 412, 429 -> FailureClass.RETRIABLE;
                            default -> FailureClass.TERMINAL;
                        }));
        return Stream.concat(
                statuses,
                Stream.of(
                        Arguments.of(Failure.Other.terminal("no"), FailureClass.TERMINAL),
                        Arguments.of(Failure.Other.retriable("later"), FailureClass.RETRIABLE),
                        Arguments.of(new Failure.Cancelled("deadline"), FailureClass.RETRIABLE)));
    }

    @ParameterizedTest
    @MethodSource("classes")
    @Rule(
            id = "R10.1",
            says = "A 404 is stale; 409, 412, 429, failures that an adapter marks as transient, and a deadline"
                    + " are retriable; all others are terminal.",
            source = "design document, Error Classification; contract, Replay rule 10")
    void each_failure_has_one_class(Failure failure, FailureClass expected) {
        assertThat(FailureClass.of(failure)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        ",STALE",
        "NotFound,STALE",
        "ResourceNotFound,STALE",
        "ParentResourceNotFound,STALE",
        "ResourceGroupNotFound,RETRIABLE",
        "SubscriptionNotFound,RETRIABLE",
        "InvalidResourceType,RETRIABLE",
        "PageNotFound,RETRIABLE"
    })
    @Rule(
            id = "R10.3",
            says = "A 404 is stale without a code, or with NotFound, ResourceNotFound or ParentResourceNotFound; with"
                    + " any other code it is retriable.",
            source = "contract, Replay rule 10; kubernetes-sigs/cloud-provider-azure#1296",
            differs = "Go repeats a ResourceGroupNotFound inside the call, at ARM's regional endpoint.")
    void a_404_is_stale_only_if_the_pool_or_its_load_balancer_is_absent(@Nullable String code, FailureClass expected) {
        assertThat(FailureClass.of(Failure.ofStatus(404, null, ArmError.of(404, code))))
                .isEqualTo(expected);
    }

    @Test
    @Rule(
            id = "R11.1",
            says = "maxRetries counts additional attempts; the attempt that finds retryCount at the limit fails.",
            source = "contract, Replay rule 11")
    void the_attempt_that_finds_the_count_at_the_limit_fails() {
        Failure conflict = new Failure.Conflict(ArmError.ofStatus(409));
        PendingOperation tried = FRESH;
        for (int i = 0; i < 3; i++) {
            RetryDecision decision = RetryDecision.decide(conflict, tried, 3, UpdateModel.DIFF, NOW);
            assertThat(decision).isInstanceOf(RetryDecision.Retry.class);
            tried = ((RetryDecision.Retry) decision).operation();
        }

        assertThat(RetryDecision.decide(conflict, tried, 3, UpdateModel.DIFF, NOW))
                .isEqualTo(new RetryDecision.GiveUp(tried, true));
        assertThat(tried.retryCount()).isEqualTo(3);
        assertThat(tried.sequence()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"DIFF,1", "DESIRED_STATE,0"})
    void a_refusal_at_the_gate_counts_in_diff_only(UpdateModel model, int count) {
        RetryDecision decision =
                RetryDecision.decide(Failure.Throttled.atGate(NOW.plusSeconds(5)), FRESH, 3, model, NOW);

        PendingOperation left = switch (decision) {
            case RetryDecision.Retry retry -> retry.operation();
            case RetryDecision.Keep keep -> keep.operation();
            default -> throw new AssertionError(decision);
        };
        assertThat(left.retryCount()).isEqualTo(count);
        assertThat(left.nextEligibleAt()).isEqualTo(NOW.plusSeconds(5));
    }

    @ParameterizedTest
    @CsvSource(
            value = {"null,3", "0,0", "-1,0", "-2147483648,0", "5,5"},
            nullValues = "null")
    @Rule(
            id = "D22.1",
            says = "maxRetries unset is 3, 0 is off, negative counts as 0.",
            source = "design document, Configuration")
    void max_retries_unset_is_three_and_negative_is_zero(Integer configured, int effective) {
        assertThat(MaxRetries.of(configured)).isEqualTo(effective);
    }
}
