package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import dev.poolkeeper.k8s.watch.WatchStatus;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Registers the metrics that are asked for at each scrape. */
public final class DaemonGauges {

    private final Instruments instruments;
    private final InstantSource clock;

    private DaemonGauges(Instruments instruments, InstantSource clock) {
        this.instruments = instruments;
        this.clock = clock;
    }

    /**
     * Registers them all; once.
     *
     * @param version of the program
     * @param clock tells for how long a watch has been silent
     */
    public static void register(Meter meter, Gauges gauges, String version, InstantSource clock) {
        DaemonGauges registrar = new DaemonGauges(new Instruments(meter), clock);
        registrar.queue(gauges.queue());
        registrar.azure(gauges.azure());
        registrar.keeper(gauges.keeper());
        registrar.replica(gauges.replica());
        registrar.events(gauges.events());
        registrar.watches(gauges);
        registrar.instruments.observe(Metric.BUILD_INFO, value -> value.is(1, labels(Metric.BUILD_INFO, version)));
    }

    private void queue(Gauges.Queue queue) {
        number(Metric.QUEUE_OPERATIONS, queue.operations());
        number(Metric.PARKED_GROUPS, queue.parkedGroups());
        instruments.observe(
                Metric.PARKED_LONGEST_WAIT,
                value -> value.is(seconds(queue.longestWait().get()), Attributes.empty()));
    }

    private void azure(Gauges.Azure azure) {
        instruments.observe(Metric.GATE_SHUT, value -> {
            value.is(seconds(azure.readsShut().get()), labels(Metric.GATE_SHUT, "reads"));
            value.is(seconds(azure.writesShut().get()), labels(Metric.GATE_SHUT, "writes"));
            value.is(seconds(azure.loadBalancersShut().get()), labels(Metric.GATE_SHUT, "load_balancers"));
        });
        instruments.observe(
                Metric.BUDGET_BALANCE,
                value -> azure.budgetBalance().get().ifPresent(balance -> value.is(balance, Attributes.empty())));
    }

    private void keeper(Gauges.Keeper keeper) {
        number(Metric.POOLS, keeper.pools());
        number(Metric.POOLS_DIFFERING, keeper.poolsDiffering());
        number(Metric.DRIFT_FIGHTS, keeper.driftFights());
        number(Metric.ISOLATED_LOAD_BALANCERS, keeper.isolatedLoadBalancers());
        number(Metric.MISSING_PERMISSIONS, keeper.missingPermissions());
        number(Metric.POLICIES_REFUSED, keeper.policiesRefused());
        truth(Metric.SAFETY_BRAKE, keeper.braking());
        truth(Metric.PAUSED, keeper.paused());
        truth(Metric.DRY_RUN, keeper.dryRun());
        timestamp(Metric.LAST_SUCCESSFUL_TICK, keeper.lastSuccessfulTick());
        timestamp(Metric.LAST_DIRECTORY_REFRESH, keeper.lastDirectoryRefresh());
        timestamp(Metric.LAST_RESYNC, keeper.lastResync());
    }

    private void replica(Gauges.Replica replica) {
        truth(Metric.LEADER, replica.leader());
        truth(Metric.RESOURCE_LOCK_HELD, replica.resourceLockHeld());
        truth(Metric.RESOURCE_LOCK_HELD_BY_ANOTHER, replica.resourceLockHeldByAnother());
    }

    private void events(Gauges.Events events) {
        instruments.observe(Metric.EVENTS, value -> {
            value.is(events.written().getAsLong(), labels(Metric.EVENTS, "written"));
            value.is(events.dropped().getAsLong(), labels(Metric.EVENTS, "dropped"));
            value.is(events.suppressed().getAsLong(), labels(Metric.EVENTS, "suppressed"));
        });
    }

    private void watches(Gauges gauges) {
        watch(gauges, Metric.WATCH_SYNCED, status -> status.synced() ? 1 : 0);
        watch(gauges, Metric.WATCH_OPEN, status -> status.watching() ? 1 : 0);
        watch(gauges, Metric.WATCH_OBJECTS, WatchStatus::objects);
        watch(gauges, Metric.WATCH_LISTS, WatchStatus::lists);
        watch(gauges, Metric.WATCH_STALLS, WatchStatus::stalls);
        instruments.observe(Metric.WATCH_SILENCE, value -> {
            for (WatchStatus status : gauges.watches().get()) {
                status.lastSign()
                        .ifPresent(sign -> value.is(
                                seconds(Duration.between(sign, clock.instant())),
                                labels(Metric.WATCH_SILENCE, status.kind())));
            }
        });
    }

    private void watch(Gauges gauges, Metric metric, ToDoubleFunction<WatchStatus> source) {
        instruments.observe(metric, value -> {
            for (WatchStatus status : gauges.watches().get()) {
                value.is(source.applyAsDouble(status), labels(metric, status.kind()));
            }
        });
    }

    private void number(Metric metric, LongSupplier source) {
        instruments.observe(metric, value -> value.is(source.getAsLong(), Attributes.empty()));
    }

    private void truth(Metric metric, BooleanSupplier source) {
        instruments.observe(metric, value -> value.is(source.getAsBoolean() ? 1 : 0, Attributes.empty()));
    }

    private void timestamp(Metric metric, Supplier<Optional<Instant>> source) {
        instruments.observe(
                metric, value -> source.get().ifPresent(at -> value.is(at.toEpochMilli() / 1e3, Attributes.empty())));
    }

    private static double seconds(Duration duration) {
        return duration.isNegative() ? 0 : duration.toNanos() / 1e9;
    }
}
