package dev.poolkeeper.app.status;

import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.app.config.RetrySources;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.azure.http.QuotaStatus;
import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.core.cluster.NodeReport;
import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.engine.Why;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.guard.ForbiddenLoadBalancers.Forbidden;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.Loss;
import dev.poolkeeper.core.readiness.Readiness;
import dev.poolkeeper.core.readiness.ReadinessStatus;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.k8s.lease.ResourceLockStatus;
import dev.poolkeeper.k8s.policies.PolicyWatcher;
import dev.poolkeeper.k8s.watch.WatchStatus;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.WriteQuota;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/** Statuses for tests. */
public final class Statuses {

    public static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    /** A name that would break a page or terminal that does not escape it. */
    public static final String HOSTILE =
            "\"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;" + HostileText.SHORT;

    private static final ArmName HOSTILE_NAME = ArmName.of(HOSTILE);

    /** A node that a slice lists and a label excludes. */
    public static final NodeReport NODE = new NodeReport(
            NodeReport.Presence.PRESENT, Optional.of("example/label"), AddressSet.of("10.0.0.9"), List.of("web-a"));

    private Statuses() {}

    /** A daemon with every kind of problem, with these pools; every text that can be hostile is. */
    public static DaemonStatus with(List<PoolStatus> pools) {
        return new DaemonStatus(
                new DaemonStatus.Program("1.2.3", HOSTILE, ago(3_600), Optional.of(ago(7))),
                engine(pools),
                cluster(),
                new DaemonStatus.Azure(
                        new GateStatus(null, in(17), Map.of(HOSTILE_NAME, in(3))),
                        new QuotaStatus(WriteQuota.Level.SCARCE, Optional.of(37L), Optional.of(212L)),
                        new RetryModel.BudgetStatus(HOSTILE, OptionalLong.of(8), 4)),
                new DaemonStatus.Settings(
                        true,
                        new LiveSettings(
                                RetrySources.of(RetrySettings.DEFAULT),
                                true,
                                50,
                                Set.of(),
                                LiveSettings.LogLevels.DEFAULT,
                                List.of(Path.of("poolkeeper.yaml"))),
                        List.of(new InputFault("poolkeeper.yaml", "retry.attempts", HOSTILE))),
                Optional.of(new ReadinessStatus(
                        Map.of(Readiness.Reason.WAITING_FOR_POOL, 2, Readiness.Reason.HELD, 1),
                        1,
                        1,
                        Duration.ofSeconds(40),
                        Map.of(Readiness.Reason.IN_POOL, 9L),
                        0)),
                new DaemonStatus.Policies(
                        RetrySettings.DEFAULT,
                        HOSTILE,
                        HOSTILE,
                        3,
                        1,
                        List.of(new DaemonStatus.PolicyObject(HOSTILE, false, "Conflicted", HOSTILE))),
                List.of(new DaemonStatus.MissingPermission("Azure", HOSTILE, HOSTILE)),
                List.of(
                        new RecentHour.Moment(ago(3_600), 0, Duration.ZERO),
                        new RecentHour.Moment(ago(1_800), 3, Duration.ofSeconds(42)),
                        new RecentHour.Moment(ago(0), 1, Duration.ZERO)));
    }

    private static EngineStatus engine(List<PoolStatus> pools) {
        PoolKey place = new PoolKey(HOSTILE_NAME, HOSTILE_NAME);
        return new EngineStatus(
                NOW,
                true,
                Optional.of(ago(60)),
                new EngineStatus.Listing(
                        Optional.of(ago(30)),
                        Optional.of(conflict()),
                        in(270),
                        Optional.of(ago(900)),
                        Optional.empty(),
                        List.of(new ServiceName("shop", "poolless")),
                        List.of(new AmbiguousPool(
                                new ServiceName("shop", "twice"),
                                HOSTILE_NAME,
                                List.of(place, place),
                                Optional.empty())),
                        List.of()),
                new EngineStatus.Work(7, 1, Optional.of(in(20)), Optional.of(in(90))),
                new EngineStatus.Holds(
                        true,
                        List.of(new BrakedRemoval(
                                "removal-1", ago(10), in(590), 60, 100, new Loss.Everything(60, 100))),
                        List.of(new Forbidden(HOSTILE_NAME, in(300), HOSTILE)),
                        Map.of(place, in(600)),
                        List.of(new ServiceName("shop", "paused"))),
                new Freshness.Snapshot(
                        Set.of(place),
                        Optional.of(ago(20)),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(90),
                        Duration.ofSeconds(10)),
                pools);
    }

    private static DaemonStatus.Cluster cluster() {
        return new DaemonStatus.Cluster(
                List.of(new WatchStatus("Service", true, false, 42, Optional.of(ago(90)), 1, 2, Optional.of(HOSTILE))),
                List.of(new PolicyWatcher.KindStatus("HTTPRoute", "v1", false, HOSTILE)),
                new DaemonStatus.Election(true, true, Optional.of(HOSTILE)),
                new ResourceLockStatus(
                        false,
                        Optional.of(new ResourceLockStatus.Holding(HOSTILE, Optional.of(NOW), in(50))),
                        Optional.of(in(50)),
                        Optional.of(HOSTILE)),
                new DaemonStatus.Events(11, 12, 13));
    }

    /** A waiting pool of a load balancer with a hostile name. */
    public static PoolStatus parked() {
        PoolKey pool = new PoolKey(HOSTILE_NAME, HOSTILE_NAME);
        return new PoolStatus(
                pool,
                List.of(new ServiceName("shop", "web")),
                AddressSet.of("10.0.0.4", "10.0.0.5"),
                true,
                Optional.of(new KnownPool(
                        pool,
                        AddressSet.of("10.0.0.5", "10.0.0.9"),
                        ago(40),
                        null,
                        false,
                        new KnownPool.LastCall(true, ago(40), Optional.of(conflict())),
                        null)),
                2,
                Optional.of(new Difference(
                        new Why.Parked(Optional.of(Failure.Other.retriable(HOSTILE))),
                        Optional.of(ago(40)),
                        Optional.of(in(20)))),
                AddressSet.empty());
    }

    /** A pool that an operator holds. */
    public static PoolStatus held() {
        PoolKey pool = PoolKey.of("lb-1", "shop-web");
        return new PoolStatus(
                pool,
                List.of(new ServiceName("shop", "web")),
                AddressSet.of("10.0.0.4", "10.0.0.5"),
                true,
                Optional.of(
                        new KnownPool(pool, AddressSet.of("10.0.0.5", "10.0.0.9"), ago(40), null, false, null, null)),
                0,
                Optional.of(new Difference(
                        new Why.OnHold(new HoldCause.ServicePaused(new ServiceName("shop", "web"))),
                        Optional.of(ago(40)),
                        Optional.of(in(20)))),
                AddressSet.empty());
    }

    /** A pool that holds none of its wanted addresses, because its update failed permanently. */
    public static PoolStatus outage() {
        return waiting("down", PoolKey.of("lb-2", "shop-down"), Difference.Reason.FAILED, "10.0.0.9");
    }

    /** A pool whose update is next. */
    public static PoolStatus queued() {
        return waiting("quick", PoolKey.of("lb-1", "shop-quick"), Difference.Reason.QUEUED, "10.0.0.4", "10.0.0.9");
    }

    private static PoolStatus waiting(String name, PoolKey pool, Difference.Reason reason, String... holds) {
        return new PoolStatus(
                pool,
                List.of(new ServiceName("shop", name)),
                AddressSet.of("10.0.0.4"),
                true,
                Optional.of(new KnownPool(pool, AddressSet.of(holds), ago(40), null, false, null, null)),
                0,
                Optional.of(new Difference(why(reason), Optional.of(ago(40)), Optional.empty())),
                AddressSet.empty());
    }

    /** A cause of this kind. */
    static Why why(Difference.Reason reason) {
        return switch (reason) {
            case INCOMPLETE -> Why.Plain.INCOMPLETE;
            case NOT_LEADING -> Why.Plain.NOT_LEADING;
            case NOT_LISTED -> Why.Plain.NOT_LISTED;
            case IN_PROGRESS -> Why.Plain.IN_PROGRESS;
            case QUEUED -> Why.Plain.QUEUED;
            case HELD -> new Why.OnHold(new HoldCause.Paused());
            case LOCK_HELD -> new Why.LockHeld(Optional.empty());
            case PARKED -> new Why.Parked(Optional.empty());
            case RETRYING -> new Why.Retrying(Failure.Other.retriable("it failed"));
            case FAILED -> new Why.GaveUp(Failure.Other.retriable("it failed"));
            case NOT_COMPARED -> new Why.NotCompared(Optional.empty(), Optional.empty(), false);
        };
    }

    /** A pool that holds its wanted addresses. */
    public static PoolStatus inStep(int number) {
        AddressSet addresses = AddressSet.of("10.0.0.4");
        PoolKey pool = PoolKey.of("lb-1", "team-" + number);
        return new PoolStatus(
                pool,
                List.of(new ServiceName("team-" + number, "web")),
                addresses,
                true,
                Optional.of(new KnownPool(pool, addresses, NOW, null, false, null, null)),
                0,
                Optional.empty(),
                AddressSet.empty());
    }

    /** This number of them, numbered from the first. */
    public static List<PoolStatus> inStep(int from, int count) {
        return IntStream.range(from, from + count).mapToObj(Statuses::inStep).toList();
    }

    private static Failure conflict() {
        return new Failure.Conflict(new ArmError(409, HOSTILE, HOSTILE, HOSTILE));
    }

    private static Instant in(int seconds) {
        return NOW.plusSeconds(seconds);
    }

    private static Instant ago(int seconds) {
        return NOW.minusSeconds(seconds);
    }
}
