package dev.poolkeeper.app.telemetry;

import dev.poolkeeper.k8s.watch.WatchStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Where the values come from that are asked for at each scrape. Every supplier is thread-safe, quick, and makes no
 * call.
 *
 * @param queue what waits
 * @param azure gates and budget
 * @param keeper the pools and what keeps them from being written
 * @param replica what role this replica has
 * @param events of the event recorder
 * @param watches one status for each kind that is watched
 */
public record Gauges(
        Queue queue, Azure azure, Keeper keeper, Replica replica, Events events, Supplier<List<WatchStatus>> watches) {

    /**
     * What waits.
     *
     * @param operations in the queue
     * @param parkedGroups pools whose operations wait for their time
     * @param longestWait for how much longer the last of them is parked, zero where none is
     */
    public record Queue(LongSupplier operations, LongSupplier parkedGroups, Supplier<Duration> longestWait) {}

    /**
     * What ARM and the budget allow.
     *
     * @param readsShut for how much longer no read goes out, zero while the gate is open
     * @param writesShut for how much longer no write goes out
     * @param loadBalancersShut the longest of the load balancers that are busy with another operation
     * @param budgetBalance how many retries would be admitted at once now, empty where there is no limit
     */
    public record Azure(
            Supplier<Duration> readsShut,
            Supplier<Duration> writesShut,
            Supplier<Duration> loadBalancersShut,
            Supplier<OptionalLong> budgetBalance) {}

    /**
     * The pools and what keeps them from being written.
     *
     * @param pools how many are kept
     * @param poolsDiffering how many held something else than wanted when last seen
     * @param driftFights how many somebody else keeps changing back
     * @param isolatedLoadBalancers how many load balancers are left alone after a 403
     * @param missingPermissions how many the last probe found missing
     * @param policiesRefused how many policy documents were refused
     * @param braking whether the safety brake holds something back
     * @param paused whether all writes are paused
     * @param dryRun whether nothing is ever written
     * @param lastSuccessfulTick when a tick last ended without an error of its own
     * @param lastDirectoryRefresh when the load balancers were last listed
     * @param lastResync when all pools were last compared
     */
    public record Keeper(
            LongSupplier pools,
            LongSupplier poolsDiffering,
            LongSupplier driftFights,
            LongSupplier isolatedLoadBalancers,
            LongSupplier missingPermissions,
            LongSupplier policiesRefused,
            BooleanSupplier braking,
            BooleanSupplier paused,
            BooleanSupplier dryRun,
            Supplier<Optional<Instant>> lastSuccessfulTick,
            Supplier<Optional<Instant>> lastDirectoryRefresh,
            Supplier<Optional<Instant>> lastResync) {}

    /**
     * What role this replica has.
     *
     * @param leader whether it leads; always true where there is no election
     * @param resourceLockHeld whether it holds the lock that Azure's other writers honour
     * @param resourceLockHeldByAnother whether another writer was seen to hold that lock, and it has not expired
     */
    public record Replica(
            BooleanSupplier leader, BooleanSupplier resourceLockHeld, BooleanSupplier resourceLockHeldByAnother) {}

    /**
     * Of the event recorder, since the start.
     *
     * @param written events written
     * @param dropped events lost
     * @param suppressed events left out because there were too many
     */
    public record Events(LongSupplier written, LongSupplier dropped, LongSupplier suppressed) {}
}
