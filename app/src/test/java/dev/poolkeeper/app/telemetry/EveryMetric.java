package dev.poolkeeper.app.telemetry;

import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.app.status.Statuses;
import dev.poolkeeper.azure.http.ArmAttempt;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.readiness.Readiness.Reason;
import dev.poolkeeper.core.readiness.ReadinessStatus;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A daemon's telemetry with everything registered and each instrument used once. */
final class EveryMetric implements AutoCloseable {

    static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    static final Failure CONFLICT = new Failure.Conflict(ArmError.ofStatus(409));

    final FakeTime clock = new FakeTime();
    final AtomicLong nanos = new AtomicLong(-77);
    final AtomicInteger statusesTaken = new AtomicInteger();
    final Telemetry telemetry = Telemetry.start("1.2.3", Proxies.NONE);
    final OperationMetrics metrics;
    final ArmTelemetry arm;
    final ObservedTicks ticks;

    EveryMetric() {
        metrics = new OperationMetrics(telemetry.meter(), telemetry.tracer(), nanos::get, "sub-1", "MC_Group");
        arm = new ArmTelemetry(telemetry.meter(), telemetry.tracer(), telemetry.propagator());
        ticks = new ObservedTicks(telemetry.meter(), telemetry.tracer(), clock, nanos::get);
        DaemonGauges.register(telemetry.meter(), this::status);
        ReadinessGauges.register(telemetry.meter(), EveryMetric::gateStatus);
        JvmGauges.register(telemetry.meter());
    }

    void useEverything() {
        ToldAttempt good = ToldAttempt.begin(metrics, POOL);
        nanos.addAndGet(250_000_000);
        good.succeeded();
        good.end();
        ToldAttempt bad = ToldAttempt.begin(metrics, POOL);
        bad.failed(CONFLICT);
        bad.retried(CONFLICT);
        bad.end();
        metrics.accept(new Fact.RetryRefused(POOL));
        metrics.accept(new Fact.ChangeWritten(POOL, Duration.ofMillis(4_200)));
        observe(call(ArmCall.Outcome.ANSWERED, 200, null));
        observe(call(ArmCall.Outcome.ANSWERED, 503, new CallRetries.Decision.Retry(Duration.ofSeconds(1))));
        observe(call(
                ArmCall.Outcome.TIMED_OUT, null, new CallRetries.Decision.GiveUp(CallRetries.Reason.BUDGET_REFUSED)));
        observe(call(ArmCall.Outcome.REFUSED_AT_GATE, null, null));
        ticks.observe(() -> CompletableFuture.completedFuture(null)).join();
    }

    private void observe(ArmCall call) {
        arm.attempting(new ArmAttempt(call.purpose(), call.loadBalancer(), call.attempt(), CallContext.unbound()))
                .ended(call);
    }

    private static ArmCall call(
            ArmCall.Outcome outcome, @Nullable Integer status, CallRetries.@Nullable Decision decision) {
        return new ArmCall(
                ArmCall.Purpose.READ,
                ArmName.of("lb-1"),
                1,
                status,
                Duration.ofMillis(120),
                outcome,
                decision,
                "correlation-1");
    }

    private static ReadinessStatus gateStatus() {
        return new ReadinessStatus(
                Map.of(Reason.HELD, 2),
                3,
                4,
                Duration.ofSeconds(40),
                Map.of(Reason.IN_POOL, 5L, Reason.TIMED_OUT, 1L),
                7);
    }

    private DaemonStatus status() {
        statusesTaken.incrementAndGet();
        return Statuses.with(List.of(Statuses.parked(), Statuses.inStep(1), Statuses.outage()));
    }

    MetricSnapshot snapshot(Metric metric) {
        return telemetry.scrape().stream()
                .filter(snapshot -> metric.prometheusName()
                        .equals(snapshot.getMetadata().getPrometheusName()
                                + (metric.kind() == Metric.Kind.COUNTER ? "_total" : "")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + metric.prometheusName()));
    }

    @Override
    public void close() {
        telemetry.close();
    }
}
