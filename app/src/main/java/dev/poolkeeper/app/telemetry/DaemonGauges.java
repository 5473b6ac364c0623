package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.guard.SafetyBrake;
import dev.poolkeeper.k8s.watch.WatchStatus;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The metrics of the daemon's status. All values of one scrape are from the same moment. */
public final class DaemonGauges {

    private static final Set<Metric> METRICS = EnumSet.of(
            Metric.QUEUE_OPERATIONS,
            Metric.PARKED_GROUPS,
            Metric.PARKED_LONGEST_WAIT,
            Metric.GATE_SHUT,
            Metric.QUOTA_REMAINING,
            Metric.QUOTA_SHORT,
            Metric.BUDGET_BALANCE,
            Metric.POOLS,
            Metric.POOLS_DIFFERING,
            Metric.POOLS_IN_OUTAGE,
            Metric.OLDEST_CHANGE,
            Metric.OUTAGE_TIME,
            Metric.MISSING_ADDRESS_TIME,
            Metric.STALE_ADDRESS_TIME,
            Metric.DRIFT_FIGHTS,
            Metric.ISOLATED_LOAD_BALANCERS,
            Metric.MISSING_PERMISSIONS,
            Metric.POLICIES_REFUSED,
            Metric.CONFIGURATION_REFUSED,
            Metric.SAFETY_BRAKE,
            Metric.SAFETY_BRAKE_ADDRESSES,
            Metric.POOL_ADDRESSES,
            Metric.PAUSED,
            Metric.DRY_RUN,
            Metric.LAST_SUCCESSFUL_TICK,
            Metric.LAST_DIRECTORY_REFRESH,
            Metric.LAST_RESYNC,
            Metric.LEADER,
            Metric.RESOURCE_LOCK_HELD,
            Metric.RESOURCE_LOCK_HELD_BY_ANOTHER,
            Metric.EVENTS,
            Metric.WATCH_SYNCED,
            Metric.WATCH_OPEN,
            Metric.WATCH_OBJECTS,
            Metric.WATCH_LISTS,
            Metric.WATCH_STALLS,
            Metric.WATCH_SILENCE,
            Metric.BUILD_INFO);

    private final DaemonStatus status;
    private final Instruments.Readings readings;

    private DaemonGauges(DaemonStatus status, Instruments.Readings readings) {
        this.status = status;
        this.readings = readings;
    }

    /**
     * Registers them all; call it once.
     *
     * @param status called once per scrape; thread-safe, makes no calls
     */
    public static void register(Meter meter, Supplier<DaemonStatus> status) {
        new Instruments(meter).observe(METRICS, readings -> new DaemonGauges(status.get(), readings).record());
    }

    private void record() {
        work(status.engine().work());
        pools(status.engine());
        freshness(status.engine().freshness());
        azure(status.azure());
        cluster(status.cluster());
        status.cluster().watches().forEach(this::watch);
        set(Metric.MISSING_PERMISSIONS, status.missingPermissions().size());
        set(Metric.POLICIES_REFUSED, status.policies().refused());
        set(Metric.CONFIGURATION_REFUSED, !status.settings().faults().isEmpty());
        set(Metric.DRY_RUN, status.settings().dryRun());
        set(Metric.LAST_SUCCESSFUL_TICK, status.program().lastTick());
        readings.set(
                Metric.BUILD_INFO, 1, labels(Metric.BUILD_INFO, status.program().version()));
    }

    private void work(EngineStatus.Work work) {
        set(Metric.QUEUE_OPERATIONS, work.operations());
        set(Metric.PARKED_GROUPS, work.parkedPools());
        set(Metric.PARKED_LONGEST_WAIT, secondsUntil(work.lastEligibleAt()));
    }

    private void pools(EngineStatus engine) {
        set(Metric.POOLS, engine.pools().size());
        set(
                Metric.POOLS_DIFFERING,
                engine.pools().stream().filter(PoolStatus::differs).count());
        set(Metric.POOLS_IN_OUTAGE, engine.outages());
        set(Metric.DRIFT_FIGHTS, engine.holds().fights().size());
        set(Metric.ISOLATED_LOAD_BALANCERS, engine.holds().forbidden().size());
        set(Metric.SAFETY_BRAKE, !engine.holds().braked().isEmpty());
        set(
                Metric.SAFETY_BRAKE_ADDRESSES,
                engine.holds().braked().stream()
                        .mapToLong(SafetyBrake.BrakedRemoval::removed)
                        .sum());
        set(
                Metric.POOL_ADDRESSES,
                engine.pools().stream()
                        .flatMap(pool -> pool.known().stream())
                        .mapToLong(known -> known.addresses().size())
                        .sum());
        set(Metric.PAUSED, engine.holds().paused());
        set(Metric.LAST_DIRECTORY_REFRESH, engine.listing().last());
        set(Metric.LAST_RESYNC, engine.listing().lastResync());
    }

    private void freshness(Freshness.Snapshot freshness) {
        set(
                Metric.OLDEST_CHANGE,
                freshness
                        .oldestChange()
                        .map(at -> seconds(Duration.between(at, status.engine().at())))
                        .orElse(0.0));
        set(Metric.OUTAGE_TIME, seconds(freshness.outage()));
        set(Metric.MISSING_ADDRESS_TIME, seconds(freshness.missingAddressTime()));
        set(Metric.STALE_ADDRESS_TIME, seconds(freshness.staleAddressTime()));
    }

    private void azure(DaemonStatus.Azure azure) {
        GateStatus gates = azure.gates();
        gate("reads", Optional.ofNullable(gates.readsShutUntil()));
        gate("writes", Optional.ofNullable(gates.writesShutUntil()));
        gate("load_balancers", gates.busyUntil().values().stream().max(Comparator.naturalOrder()));
        azure.quota().writes().ifPresent(writes -> remaining("writes", writes));
        azure.quota().reads().ifPresent(reads -> remaining("reads", reads));
        set(Metric.QUOTA_SHORT, azure.quota().level().ordinal());
        azure.retryBudget().balance().ifPresent(balance -> set(Metric.BUDGET_BALANCE, balance));
    }

    private void remaining(String kind, long remaining) {
        readings.set(Metric.QUOTA_REMAINING, remaining, labels(Metric.QUOTA_REMAINING, kind));
    }

    private void gate(String gate, Optional<Instant> shutUntil) {
        readings.set(Metric.GATE_SHUT, secondsUntil(shutUntil), labels(Metric.GATE_SHUT, gate));
    }

    private void cluster(DaemonStatus.Cluster cluster) {
        set(Metric.LEADER, cluster.election().leading());
        set(Metric.RESOURCE_LOCK_HELD, cluster.resourceLock().held());
        set(Metric.RESOURCE_LOCK_HELD_BY_ANOTHER, cluster.resourceLock().isHeldByAnother());
        events("written", cluster.events().written());
        events("dropped", cluster.events().dropped());
        events("suppressed", cluster.events().suppressed());
    }

    private void events(String result, long count) {
        readings.set(Metric.EVENTS, count, labels(Metric.EVENTS, result));
    }

    private void watch(WatchStatus watch) {
        watch(watch, Metric.WATCH_SYNCED, it -> it.synced() ? 1 : 0);
        watch(watch, Metric.WATCH_OPEN, it -> it.watching() ? 1 : 0);
        watch(watch, Metric.WATCH_OBJECTS, WatchStatus::objects);
        watch(watch, Metric.WATCH_LISTS, WatchStatus::lists);
        watch(watch, Metric.WATCH_STALLS, WatchStatus::stalls);
        watch.lastSign()
                .ifPresent(sign -> watch(
                        watch,
                        Metric.WATCH_SILENCE,
                        it -> seconds(Duration.between(sign, status.engine().at()))));
    }

    private void watch(WatchStatus watch, Metric metric, ToDoubleFunction<WatchStatus> value) {
        readings.set(metric, value.applyAsDouble(watch), labels(metric, watch.kind()));
    }

    private void set(Metric metric, double value) {
        readings.set(metric, value, Attributes.empty());
    }

    private void set(Metric metric, long value) {
        readings.set(metric, value, Attributes.empty());
    }

    private void set(Metric metric, boolean value) {
        set(metric, value ? 1 : 0);
    }

    private void set(Metric metric, Optional<Instant> at) {
        at.ifPresent(instant -> set(metric, instant.toEpochMilli() / 1e3));
    }

    private double secondsUntil(Optional<Instant> instant) {
        return instant.map(until -> seconds(Duration.between(status.engine().at(), until)))
                .orElse(0.0);
    }

    private static double seconds(Duration duration) {
        return duration.isNegative() ? 0 : duration.toNanos() / 1e9;
    }
}
