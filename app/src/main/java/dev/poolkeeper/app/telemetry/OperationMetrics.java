package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.UpdaterMetrics;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import java.util.Locale;

/**
 * Counts the outcomes of groups under the names and labels of the Go implementation, and what has none there under our
 * own. Thread-safe; never blocks. Source: design document, <em>Metrics</em>.
 */
public final class OperationMetrics implements UpdaterMetrics {

    private final ObservedGroups groups;
    private final Attributes upstreamLabels;
    private final DoubleHistogram durations;
    private final LongCounter failures;
    private final LongCounter retries;
    private final LongCounter retriesRefused;

    /**
     * @param groups knows when the group at hand began
     * @param subscription the subscription's id
     * @param resourceGroup of the load balancers; written in lower case
     */
    public OperationMetrics(Meter meter, ObservedGroups groups, String subscription, String resourceGroup) {
        this.groups = groups;
        this.upstreamLabels = labels(
                Metric.OPERATION_DURATION,
                "services_local_update_backend_pool",
                resourceGroup.toLowerCase(Locale.ROOT),
                subscription,
                "local_service_backend_pool_updater");
        Instruments instruments = new Instruments(meter);
        this.durations = instruments.histogram(Metric.OPERATION_DURATION, Instruments.OPERATION_BUCKETS);
        this.failures = instruments.counter(Metric.OPERATION_FAILURES);
        this.retries = instruments.counter(Metric.RETRIES);
        this.retriesRefused = instruments.counter(Metric.RETRIES_REFUSED);
        failures.add(0, upstreamLabels); // a rate sees the first one only if there was a zero before it
        retriesRefused.add(0, labels(Metric.RETRIES_REFUSED, "tick"));
    }

    @Override
    public void succeeded(PoolKey pool) {
        recordDuration(pool);
    }

    @Override
    public void failed(PoolKey pool) {
        failures.add(1, upstreamLabels);
        recordDuration(pool);
        groups.ended(pool, "failed");
    }

    @Override
    public void retried(PoolKey pool) {
        retries.add(1, labels(Metric.RETRIES, "other"));
        groups.ended(pool, "retried");
    }

    @Override
    public void retried(PoolKey pool, Failure cause) {
        retries.add(1, labels(Metric.RETRIES, Cause.of(cause)));
        groups.ended(pool, "retried");
    }

    @Override
    public void retryRefused(PoolKey pool) {
        retriesRefused.add(1, labels(Metric.RETRIES_REFUSED, "tick"));
    }

    @Override
    public void turnEnded(PoolKey pool) {
        groups.endTurn();
    }

    private void recordDuration(PoolKey pool) {
        groups.nanosSoFar(pool).ifPresent(nanos -> durations.record(nanos / 1e9, upstreamLabels));
    }
}
