package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.core.facts.UpdateCounts;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.ArmOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each check of the runs over TLS can fail. */
class EmulatedRunTest {

    private static AnsweredRequest request(long second, String method, int status, Map<String, String> headers) {
        return new AnsweredRequest(
                Instant.ofEpochSecond(second),
                method,
                "/subscriptions/s/providers/Microsoft.Network/loadBalancers/lb-1/backendAddressPools/p",
                "lb-1",
                "p",
                status,
                headers,
                null,
                Duration.ZERO);
    }

    private static ArmOperation operation(String loadBalancer, long from, long until, String status) {
        return new ArmOperation(
                "o-" + from,
                "Put",
                loadBalancer,
                "p",
                Instant.ofEpochSecond(from),
                Instant.ofEpochSecond(until),
                status,
                null);
    }

    private static EmulatedRun run(List<AnsweredRequest> requests, List<ArmOperation> operations) {
        return new EmulatedRun(
                new ReplayResult(
                        UpdateModel.DESIRED_STATE,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        new UpdateCounts(),
                        FreshnessResult.of(
                                new Freshness.Snapshot(
                                        Set.of(), Optional.empty(), Duration.ZERO, Duration.ZERO, Duration.ZERO),
                                new UpdateCounts(),
                                List.of(),
                                Instant.EPOCH),
                        List.of(),
                        List.of()),
                requests,
                operations);
    }

    @Test
    void a_write_without_if_match_is_detected() {
        assertThatThrownBy(() -> run(List.of(request(1, "PUT", 201, Map.of())), List.of())
                        .assertEachWriteHasIfMatch())
                .isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @CsvSource({"PUT, PUT, 14, false", "PUT, PUT, 15, true", "GET, GET, 14, false", "PUT, GET, 14, true"})
    void a_request_through_a_shut_gate_is_detected(String first, String second, long at, boolean isFine) {
        EmulatedRun run = run(
                List.of(request(5, first, 429, Map.of("retry-after", "10")), request(at, second, 200, Map.of())),
                List.of());

        if (isFine) {
            assertThatCode(run::assertNothingGoesThroughAShutGate).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(run::assertNothingGoesThroughAShutGate).isInstanceOf(AssertionError.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "lb-1, 4, Succeeded, false",
        "lb-1, 5, Succeeded, true",
        "lb-2, 4, Succeeded, true",
        "lb-2, 4, Canceled, false"
    })
    void concurrent_writes_to_one_load_balancer_are_detected(
            String loadBalancer, long from, String status, boolean isFine) {
        EmulatedRun run =
                run(List.of(), List.of(operation("lb-1", 1, 5, "Succeeded"), operation(loadBalancer, from, 9, status)));

        if (isFine) {
            assertThatCode(run::assertNoTwoWritesToOneLoadBalancerAtTheSameTime).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(run::assertNoTwoWritesToOneLoadBalancerAtTheSameTime)
                    .isInstanceOf(AssertionError.class);
        }
    }
}
