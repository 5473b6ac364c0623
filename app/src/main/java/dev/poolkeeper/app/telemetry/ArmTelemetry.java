package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import dev.poolkeeper.azure.ArmCall;
import dev.poolkeeper.azure.ArmCallListener;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Reason;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import java.util.Locale;

/** Counts the requests to ARM and their retries. Thread-safe; never blocks. */
public final class ArmTelemetry implements ArmCallListener {

    private final DoubleHistogram durations;
    private final LongCounter gateRefusals;
    private final LongCounter retries;
    private final LongCounter retriesRefused;

    public ArmTelemetry(Meter meter) {
        Instruments instruments = new Instruments(meter);
        this.durations = instruments.histogram(Metric.ARM_REQUEST_DURATION, Instruments.REQUEST_BUCKETS);
        this.gateRefusals = instruments.counter(Metric.ARM_GATE_REFUSALS);
        this.retries = instruments.counter(Metric.CALL_RETRIES);
        this.retriesRefused = instruments.counter(Metric.RETRIES_REFUSED);
    }

    @Override
    public void attempted(ArmCall call) {
        String purpose = lower(call.purpose());
        if (call.outcome() == ArmCall.Outcome.REFUSED_AT_GATE) {
            gateRefusals.add(1, labels(Metric.ARM_GATE_REFUSALS, purpose));
            return;
        }
        durations.record(
                call.duration().toNanos() / 1e9,
                labels(Metric.ARM_REQUEST_DURATION, call.purpose().method(), purpose, status(call)));
        if (call.decision() instanceof Decision.Retry) {
            retries.add(1, labels(Metric.CALL_RETRIES, purpose, status(call)));
        } else if (call.decision() instanceof Decision.GiveUp(Reason reason) && reason == Reason.BUDGET_REFUSED) {
            retriesRefused.add(1, labels(Metric.RETRIES_REFUSED, "call"));
        }
    }

    /** The HTTP status, or what came instead of one. */
    static String status(ArmCall call) {
        return call.status() == null ? lower(call.outcome()) : call.status().toString();
    }

    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
