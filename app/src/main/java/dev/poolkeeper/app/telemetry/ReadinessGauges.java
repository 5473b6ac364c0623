package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import dev.poolkeeper.core.readiness.Readiness.Reason;
import dev.poolkeeper.core.readiness.ReadinessStatus;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/** The metrics of the readiness gate. All values of one scrape are from the same moment. */
public final class ReadinessGauges {

    private static final Set<Metric> METRICS = EnumSet.of(
            Metric.GATE_WAITING,
            Metric.GATE_LONGEST_WAIT,
            Metric.GATE_UNWRITABLE,
            Metric.GATE_CONDITIONS,
            Metric.GATE_REFUSALS);

    private ReadinessGauges() {}

    /**
     * Registers them all; call it once, and only if the gate is enabled.
     *
     * @param status called once per scrape; thread-safe, makes no calls
     */
    public static void register(Meter meter, Supplier<ReadinessStatus> status) {
        new Instruments(meter).observe(METRICS, readings -> record(status.get(), readings));
    }

    private static void record(ReadinessStatus status, Instruments.Readings readings) {
        for (Reason reason : Reason.values()) {
            if (!reason.isReady()) {
                waiting(readings, reason.word(), status.waiting().getOrDefault(reason, 0));
            }
            readings.set(
                    Metric.GATE_CONDITIONS,
                    status.written().getOrDefault(reason, 0L),
                    labels(Metric.GATE_CONDITIONS, reason.word()));
        }
        waiting(readings, "Undecided", status.undecided());
        readings.set(Metric.GATE_LONGEST_WAIT, status.longestWait().toMillis() / 1e3, Attributes.empty());
        readings.set(Metric.GATE_UNWRITABLE, (long) status.unwritable(), Attributes.empty());
        readings.set(Metric.GATE_REFUSALS, status.refused(), Attributes.empty());
    }

    private static void waiting(Instruments.Readings readings, String reason, int count) {
        readings.set(Metric.GATE_WAITING, (long) count, labels(Metric.GATE_WAITING, reason));
    }
}
