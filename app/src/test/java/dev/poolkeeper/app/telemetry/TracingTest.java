package dev.poolkeeper.app.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.poolkeeper.azure.http.ArmAttempt;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.ArmCall.Outcome;
import dev.poolkeeper.azure.http.ArmCall.Purpose;
import dev.poolkeeper.azure.http.ArmCallListener;
import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TracingTest {

    private static final PoolKey ONE = PoolKey.of("lb-1", "shop-one");
    private static final PoolKey TWO = PoolKey.of("lb-1", "shop-two");
    private static final PoolKey THREE = PoolKey.of("lb-2", "shop-three");

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();
    private final Tracer tracer = provider.get("test");
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final EndpointIndex view = new EndpointIndex(time);
    private final OperationMetrics metrics =
            new OperationMetrics(MeterProvider.noop().get("test"), tracer, time::nanoTime, "sub-1", "group");
    private final Engine engine = Engine.builder(view, new ToldCloud(), cloud, time)
            .hasSynced(() -> true)
            .facts(metrics)
            .traces(metrics::trace)
            .executor(Context.taskWrapping(threads))
            .sideBySide()
            .lister(Runnable::run)
            .ticks(tick -> lastTick = ticks().observe(tick))
            .build();
    private CompletableFuture<Void> lastTick = CompletableFuture.completedFuture(null);
    private final ArmTelemetry arm =
            new ArmTelemetry(MeterProvider.noop().get("test"), tracer, W3CTraceContextPropagator.getInstance());
    private final ConcurrentLinkedQueue<Map<String, String>> sent = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        threads.shutdownNow();
        provider.close();
    }

    /** The cloud as the Azure adapter would call it: each call is reported to the listener, and requests headers. */
    private final class ToldCloud implements BackendPools {
        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            return observed(Purpose.READ, pool, context, cloud.read(pool, context));
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            return observed(Purpose.WRITE, read.key(), context, cloud.write(read, addresses, context));
        }

        private Reply<BackendPool> observed(
                Purpose purpose, PoolKey pool, CallContext context, Reply<BackendPool> reply) {
            ArmCallListener.Observation observation =
                    arm.attempting(new ArmAttempt(purpose, pool.loadBalancer(), 1, context));
            sent.add(observation.headers());
            int status = reply instanceof Reply.Ok<BackendPool> ? 200 : 409;
            observation.ended(
                    new ArmCall(purpose, pool.loadBalancer(), 1, status, Duration.ZERO, Outcome.ANSWERED, null, "c-1"));
            return reply;
        }
    }

    private ObservedTicks ticks() {
        return new ObservedTicks(MeterProvider.noop().get("test"), tracer, time, time::nanoTime);
    }

    private void lead() {
        engine.startLeading(Term.untilEnded());
        engine.step(); // lists
        time.advance(Pace.Eager.DEFAULT.gather());
    }

    private void tick() {
        engine.step();
        lastTick.join();
    }

    /** A pool of a Service with one endpoint. */
    private void want(PoolKey pool, String address) {
        cloud.putPool(pool, AddressSet.of("10.0.0.1"));
        String name = pool.pool().toString().substring("shop-".length());
        ServiceName service = new ServiceName("shop", name);
        view.nodeChanged(new NodeState("node-" + name, Map.of(), List.of(address)));
        view.serviceChanged(new ServiceState(service, "LoadBalancer", "Local", List.of("IPv4")));
        view.sliceChanged(new EndpointSliceState("shop", name + "-a", service, "IPv4", List.of("node-" + name)));
    }

    private List<SpanData> spans(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private static String attribute(SpanData span, String name) {
        return span.getAttributes().get(AttributeKey.stringKey(name));
    }

    @Test
    @Rule(
            id = "O2",
            says = "A tick is a trace: its children are the groups, and theirs the requests to ARM, whatever thread"
                    + " they run on; ARM gets each request's traceparent.",
            source = "W3C Trace Context")
    void a_tick_is_a_trace_with_spans_for_its_groups_and_requests() {
        // given
        want(ONE, "10.0.0.2");
        want(TWO, "10.0.0.4");
        want(THREE, "10.0.0.3");
        lead();
        cloud.putPool(TWO, AddressSet.of("10.0.0.4"));
        // when
        tick();
        // then
        SpanData tick = spans("tick").get(0);
        List<SpanData> groups = spans("update pool");
        assertThat(groups)
                .hasSize(3)
                .allSatisfy(group -> assertThat(group.getParentSpanId()).isEqualTo(tick.getSpanId()))
                .extracting(group -> attribute(group, "poolkeeper.pool") + " " + attribute(group, "poolkeeper.outcome"))
                .containsExactlyInAnyOrder("shop-one updated", "shop-two unchanged", "shop-three updated");
        List<String> groupIds = groups.stream().map(SpanData::getSpanId).toList();
        List<SpanData> requests = exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().startsWith("ARM "))
                .toList();
        assertThat(requests)
                .hasSize(5)
                .allSatisfy(request -> assertThat(groupIds).contains(request.getParentSpanId()));
        assertThat(sent)
                .extracting(headers -> headers.get("traceparent"))
                .containsExactlyInAnyOrderElementsOf(requests.stream()
                        .map(span -> "00-%s-%s-%s"
                                .formatted(
                                        tick.getTraceId(),
                                        span.getSpanId(),
                                        span.getSpanContext().getTraceFlags().asHex()))
                        .toList());
    }

    @Test
    void a_failed_groups_span_has_the_failure_and_the_retry() {
        // given
        want(ONE, "10.0.0.2");
        lead();
        cloud.faults().add(FaultRule.always(409).forMethod("PUT").times(1));
        // when
        tick();
        // then
        SpanData group = spans("update pool").get(0);
        assertThat(attribute(group, "poolkeeper.outcome")).isEqualTo("retried");
        assertThat(attribute(group, "error.type")).isEqualTo("conflict");
        assertThat(group.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        SpanData write = spans("ARM write").get(0);
        assertThat(write.getAttributes().get(AttributeKey.longKey("http.response.status_code")))
                .isEqualTo(409);
        assertThat(attribute(write, "poolkeeper.arm.correlation_id")).isEqualTo("c-1");
        assertThat(attribute(write, "error.type")).isEqualTo("409");
    }

    @Test
    void a_request_outside_any_tick_has_its_own_trace() {
        // when
        ArmCallListener.Observation observation =
                arm.attempting(new ArmAttempt(Purpose.LIST, null, 2, CallContext.unbound()));
        Map<String, String> headers = observation.headers();
        observation.ended(new ArmCall(Purpose.LIST, null, 2, null, Duration.ZERO, Outcome.TIMED_OUT, null, null));
        // then
        SpanData list = spans("ARM list").get(0);
        assertThat(list.getParentSpanId()).isEqualTo(SpanId.getInvalid());
        assertThat(headers.get("traceparent")).contains(list.getSpanId());
        assertThat(list.getAttributes().get(AttributeKey.longKey("http.request.resend_count")))
                .isEqualTo(1);
        assertThat(attribute(list, "error.type")).isEqualTo("timed_out");
    }

    private static String attributes(SpanData span) {
        return span.getStatus().getStatusCode()
                + span.getAttributes().asMap().entrySet().stream()
                        .map(entry -> " " + entry.getKey() + "=" + entry.getValue())
                        .sorted()
                        .collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = '|', textBlock = """
        LIST  | -    | 1 | 200 | ANSWERED         | -   | UNSET http.request.method=GET http.response.status_code=200
        POLL  | lb-1 | 1 | 202 | ANSWERED         | c-1 | UNSET http.request.method=GET\
         http.response.status_code=202 poolkeeper.arm.correlation_id=c-1 poolkeeper.load_balancer=lb-1
        WRITE | lb-1 | 2 | 399 | ANSWERED         | -   | UNSET http.request.method=PUT\
         http.request.resend_count=1 http.response.status_code=399 poolkeeper.load_balancer=lb-1
        WRITE | -    | 4 | 400 | ANSWERED         | -   | ERROR error.type=400 http.request.method=PUT\
         http.request.resend_count=3 http.response.status_code=400
        READ  | -    | 1 | 503 | ANSWERED         | -   | ERROR error.type=503 http.request.method=GET\
         http.response.status_code=503
        READ  | -    | 1 | -   | TIMED_OUT        | c-2 | ERROR error.type=timed_out http.request.method=GET\
         poolkeeper.arm.correlation_id=c-2
        PROBE | -    | 1 | -   | CONNECTION_ERROR | -   | ERROR error.type=connection_error http.request.method=GET
        READ  | -    | 1 | -   | CANCELLED        | -   | ERROR error.type=cancelled http.request.method=GET
        READ  | -    | 1 | -   | FAILED           | -   | ERROR error.type=failed http.request.method=GET
        READ  | -    | 1 | -   | REFUSED_AT_GATE  | -   | ERROR error.type=refused_at_gate http.request.method=GET
        """)
    void each_attribute_of_a_request(
            Purpose purpose,
            @Nullable String loadBalancer,
            int number,
            @Nullable Integer status,
            Outcome outcome,
            @Nullable String correlation,
            String expected) {
        ArmName name = loadBalancer == null ? null : ArmName.of(loadBalancer);

        arm.attempting(new ArmAttempt(purpose, name, number, CallContext.unbound()))
                .ended(new ArmCall(purpose, name, number, status, Duration.ZERO, outcome, null, correlation));

        SpanData span = exporter.getFinishedSpanItems().getFirst();
        assertThat(span.getName()).isEqualTo("ARM " + purpose.toString().toLowerCase(Locale.ROOT));
        assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(attributes(span)).isEqualTo(expected);
    }

    static Stream<Arguments> ends() {
        Failure conflict = new Failure.Conflict(ArmError.ofStatus(409));
        Failure deadline = new Failure.Cancelled("deadline");
        Consumer<ToldAttempt> writes =
                update -> update.writes(AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.3"), AddressSet.of("10.0.0.4"));
        Consumer<ToldAttempt> fails = update -> update.callFailed(conflict);
        String written = " poolkeeper.addresses.read=3 poolkeeper.addresses.wanted=1";
        return Stream.of(
                arguments("unchanged", "UNSET", "", (Consumer<ToldAttempt>) update -> {}),
                arguments("unchanged", "UNSET", "", (Consumer<ToldAttempt>) ToldAttempt::succeeded),
                arguments("updated", "UNSET", written, writes.andThen(ToldAttempt::succeeded)),
                arguments("dropped", "ERROR error.type=conflict", "", fails),
                arguments("dropped", "ERROR error.type=conflict", written, writes.andThen(fails)),
                arguments(
                        "retried", "ERROR error.type=conflict", "", fails.andThen(update -> update.retried(conflict))),
                arguments("failed", "ERROR error.type=conflict", "", fails.andThen(update -> update.failed(conflict))),
                arguments("dropped", "ERROR error.type=cancelled", "", (Consumer<ToldAttempt>)
                        update -> update.callFailed(deadline)),
                arguments("unchanged", "UNSET", "", (Consumer<ToldAttempt>)
                        update -> update.callFailed(Failure.Cancelled.atFence())));
    }

    @ParameterizedTest(name = "{0} {1}{2}")
    @MethodSource("ends")
    void each_end_of_an_update(String outcome, String status, String counts, Consumer<ToldAttempt> end) {
        ToldAttempt update = ToldAttempt.begin(metrics, ONE);
        end.accept(update);
        update.end();

        SpanData span = exporter.getFinishedSpanItems().getFirst();
        assertThat(span.getName()).isEqualTo("update pool");
        assertThat(attributes(span))
                .isEqualTo(status + counts + " poolkeeper.load_balancer=lb-1 poolkeeper.outcome=" + outcome
                        + " poolkeeper.pool=shop-one");
    }

    @Test
    void each_tick_is_a_trace_of_its_own_that_ends_with_it() {
        CompletableFuture<Void> running = new CompletableFuture<>();
        try (Scope unused = tracer.spanBuilder("outer").startSpan().makeCurrent()) {
            CompletableFuture<Void> unusedGood = ticks().observe(() -> running);
            CompletableFuture<Void> unusedBad =
                    ticks().observe(() -> CompletableFuture.failedFuture(new IllegalStateException("it broke")));
        }
        assertThat(spans("tick")).hasSize(1);
        running.complete(null);

        assertThat(spans("tick"))
                .extracting(
                        SpanData::getParentSpanId,
                        span -> span.getStatus().getStatusCode(),
                        span -> span.getStatus().getDescription())
                .containsExactly(
                        tuple(SpanId.getInvalid(), StatusCode.ERROR, "java.lang.IllegalStateException: it broke"),
                        tuple(SpanId.getInvalid(), StatusCode.UNSET, ""));
    }

    @Test
    void a_request_of_a_trace_that_is_not_sampled_has_no_header() {
        SdkTracerProvider unsampled =
                SdkTracerProvider.builder().setSampler(Sampler.alwaysOff()).build();
        ArmTelemetry telemetry = new ArmTelemetry(
                MeterProvider.noop().get("test"), unsampled.get("test"), W3CTraceContextPropagator.getInstance());

        assertThat(telemetry
                        .attempting(new ArmAttempt(Purpose.LIST, null, 1, CallContext.unbound()))
                        .headers())
                .isEmpty();
    }

    @Test
    void names_and_messages_of_others_are_safe_in_spans() {
        // given
        ArmName hostile = ArmName.of(HostileText.SHORT);
        ToldAttempt update = ToldAttempt.begin(metrics, new PoolKey(hostile, hostile));
        // when
        update.callFailed(new Failure.Conflict(new ArmError(409, HostileText.ALL, HostileText.ALL, HostileText.ALL)));
        update.end();
        arm.attempting(new ArmAttempt(Purpose.READ, hostile, 1, CallContext.unbound()))
                .ended(new ArmCall(
                        Purpose.READ, hostile, 1, 409, Duration.ZERO, Outcome.ANSWERED, null, HostileText.ALL));
        CompletableFuture<Void> unusedTick =
                ticks().observe(() -> CompletableFuture.failedFuture(new IllegalStateException(HostileText.ALL)));
        // then
        assertThat(exporter.getFinishedSpanItems()).hasSize(3).allSatisfy(span -> {
            HostileText.assertSafe(span.getName());
            HostileText.assertSafe(span.getStatus().getDescription());
            span.getAttributes().forEach((key, value) -> HostileText.assertSafe(key + "=" + value));
        });
    }
}
