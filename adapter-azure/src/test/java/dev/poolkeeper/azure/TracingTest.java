package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.http.ArmAttempt;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.ArmCallListener;
import dev.poolkeeper.azure.pool.PollSettings;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmEmulatorExtension;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Requests join the caller's trace, over TLS. */
class TracingTest {

    private static final PoolKey WEB = PoolKey.of("lb-2", "shop-web");

    private final FakeTime time = new FakeTime();

    @RegisterExtension
    final ArmEmulatorExtension extension = ArmEmulatorExtension.with(EmulatedCluster.inventory("lb-2"))
            .settings(ArmSettings.DEFAULT
                    .withOperationDuration(Duration.ofSeconds(5))
                    .withOperationClock(time));

    @TempDir
    Path folder;

    private final List<String> heard = new ArrayList<>();
    private final List<ArmCall> calls = new ArrayList<>();
    private ArmEmulator arm;
    private EmulatedCluster group;

    /** A span for each attempt. */
    private final class Spans implements ArmCallListener {
        private int count;

        @Override
        public Observation attempting(ArmAttempt attempt) {
            String span = "00-0af7651916cd43dd8448eb211c80319c-%016x-01".formatted(++count);
            heard.add("%s %s %d".formatted(attempt.purpose(), attempt.loadBalancer(), attempt.number()));
            return observation(() -> Map.of("traceparent", span, "tracestate", "k=v"));
        }
    }

    private ArmCallListener.Observation observation(Supplier<Map<String, String>> headers) {
        return new ArmCallListener.Observation() {
            @Override
            public Map<String, String> headers() {
                return headers.get();
            }

            @Override
            public void ended(ArmCall call) {
                heard.add("done");
                calls.add(call);
            }
        };
    }

    @BeforeEach
    void start() throws Exception {
        arm = extension.emulator();
        group = new EmulatedCluster(arm, folder, time);
    }

    private AzurePools pools(ArmCallListener listener) {
        return group.builder(group.settings()
                        .withPolls(
                                new PollSettings(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofMinutes(1))))
                .listener(listener)
                .retries(ArmHarness.retrying(1, Duration.ofMillis(1), 503))
                .build();
    }

    @Test
    @Rule(
            id = "A21",
            says = "Every request to ARM, retries and polls too, carries the caller's traceparent.",
            source = "W3C Trace Context")
    void every_attempt_has_its_own_span_and_sends_a_trace_header() {
        // given
        AzurePools pools = pools(new Spans());
        arm.faults().add(FaultRule.always(503).forMethod("PUT").times(1));
        // when
        ok(pools.list());
        ok(pools.write(ok(pools.read(WEB)), AddressSet.of("10.0.0.9")));
        // then
        List<AnsweredRequest> requests = arm.requests();
        assertThat(requests).hasSizeGreaterThanOrEqualTo(4 + 3); // polls after 2, 4 and 6 s
        for (int i = 0; i < requests.size(); i++) {
            assertThat(requests.get(i).header("traceparent"))
                    .isEqualTo("00-0af7651916cd43dd8448eb211c80319c-%016x-01".formatted(i + 1));
            assertThat(requests.get(i).header("tracestate")).isEqualTo("k=v");
        }
        assertThat(heard)
                .startsWith(
                        "LIST null 1", "done", "READ lb-2 1", "done", "WRITE lb-2 1", "done", "WRITE lb-2 2", "done")
                .hasSize(2 * requests.size());
    }

    @Test
    void each_response_is_traced_with_azures_correlation_id() {
        // given
        AzurePools pools = pools(attempt -> calls::add);
        // when
        ok(pools.read(WEB));
        failure(pools.read(PoolKey.of("lb-2", "none")));
        // then
        assertThat(calls)
                .extracting(ArmCall::correlationId)
                .doesNotContainNull()
                .containsExactlyElementsOf(arm.requests().stream()
                        .map(request -> request.header("x-ms-correlation-request-id"))
                        .toList());
    }

    @Test
    void only_trace_headers_are_added_and_none_of_ours_is_overridden() {
        // given
        Map<String, String> headers = new HashMap<>(Map.of(
                "TraceParent",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "If-Match",
                "\"theirs\"",
                "Authorization",
                "Basic theirs",
                "User-Agent",
                "theirs"));
        headers.put("tracestate", "k=v\r\nHost: elsewhere");
        AzurePools pools = pools(attempt -> observation(() -> headers));
        // when
        ok(pools.write(ok(pools.read(WEB)), AddressSet.of("10.0.0.4")));
        // then
        assertThat(arm.requests()).allSatisfy(request -> {
            assertThat(request.header("traceparent")).endsWith("-b7ad6b7169203331-01");
            assertThat(request.header("tracestate")).isNull();
            assertThat(request.header("user-agent")).isEqualTo("poolkeeper");
            assertThat(request.status()).isLessThan(300);
        });
        assertThat(arm.requests())
                .filteredOn(AnsweredRequest::isWrite)
                .allMatch(request -> !"\"theirs\"".equals(request.header("if-match")));
    }

    @Test
    void a_tracer_that_fails_costs_the_trace_and_not_the_request() {
        // given
        AzurePools pools = pools(attempt -> observation(() -> {
            throw new IllegalStateException("no tracer");
        }));
        // when
        ok(pools.read(WEB));
        // then
        assertThat(arm.requests())
                .singleElement()
                .satisfies(request -> assertThat(request.header("traceparent")).isNull());
    }

    @Test
    void a_refusal_at_the_gate_is_also_traced_as_an_attempt() {
        // given
        AzurePools pools = pools(new Spans());
        arm.faults().add(FaultRule.always(429).retryAfter(Duration.ofMinutes(1)));
        // when
        failure(pools.read(WEB));
        failure(pools.read(WEB));
        // then
        assertThat(heard).containsExactly("READ lb-2 1", "done", "READ lb-2 1", "done");
        assertThat(calls)
                .extracting(ArmCall::outcome)
                .containsExactly(ArmCall.Outcome.ANSWERED, ArmCall.Outcome.REFUSED_AT_GATE);
    }
}
