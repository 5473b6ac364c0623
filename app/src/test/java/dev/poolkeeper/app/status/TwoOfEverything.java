package dev.poolkeeper.app.status;

import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.app.config.RetrySources;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.azure.http.QuotaStatus;
import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
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
import dev.poolkeeper.k8s.policies.PolicyWatcher.KindStatus;
import dev.poolkeeper.k8s.watch.WatchStatus;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpFamily;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Statuses in which there are two of everything and no two figures are alike, and one in which there is nothing. */
final class TwoOfEverything {

    /** A fraction of a second is not shown. */
    static final Instant NOW = Instant.parse("2026-01-01T12:00:00.250Z");

    private static final AddressSet WANTED = AddressSet.of("10.0.0.4", "10.0.0.5");
    private static final Loss SIXTY = new Loss.Everything(60, 100);
    private static final Loss SEVENTY = new Loss.TooMuch(Optional.of("shop"), 70, 100, 70, Duration.ofSeconds(30), 50);
    private static final Failure CONFLICT =
            new Failure.Conflict(new ArmError(409, "AnotherOperationInProgress", "Busy.", "c-1"));

    private TwoOfEverything() {}

    private static Instant in(int seconds) {
        return NOW.plusSeconds(seconds);
    }

    private static ServiceName service(String name) {
        return new ServiceName("shop", name);
    }

    private static PoolKey key(String name) {
        return PoolKey.of("lb-" + name, "shop-" + name);
    }

    private static PoolStatus pool(
            String name, String holds, KnownPool.@Nullable LastCall call, Optional<Difference> difference) {
        return new PoolStatus(
                key(name),
                List.of(service(name), service(name + "-too")),
                WANTED,
                true,
                Optional.of(
                        new KnownPool(key(name), AddressSet.of(holds.split(" ")), in(-40), null, false, call, null)),
                name.length(),
                difference,
                AddressSet.empty());
    }

    private static PoolStatus unknown() {
        return new PoolStatus(
                key("new"),
                List.of(service("new")),
                WANTED,
                false,
                Optional.empty(),
                0,
                Optional.empty(),
                AddressSet.of("10.0.0.6"));
    }

    private static Optional<Difference> waits(Why why, int since, Optional<Instant> until) {
        return Optional.of(new Difference(why, Optional.of(in(since)), until));
    }

    static List<PoolStatus> pools() {
        return List.of(
                pool(
                        "paused",
                        "10.0.0.5 10.0.0.9",
                        null,
                        waits(
                                new Why.OnHold(new HoldCause.ServicePaused(service("paused"))),
                                -61,
                                Optional.of(in(7_300)))),
                pool(
                        "down",
                        "10.0.0.8 10.0.0.9",
                        new KnownPool.LastCall(true, in(-50), Optional.of(CONFLICT)),
                        waits(new Why.GaveUp(CONFLICT), -62, Optional.empty())),
                pool(
                        "next",
                        "10.0.0.4",
                        new KnownPool.LastCall(false, in(-51), Optional.empty()),
                        waits(Why.Plain.QUEUED, -63, Optional.empty())),
                pool(
                        "braked",
                        "10.0.0.4 10.0.0.5 10.0.0.9",
                        new KnownPool.LastCall(false, in(-52), Optional.of(CONFLICT)),
                        waits(
                                new Why.OnHold(
                                        new HoldCause.Braked("removal-1", SIXTY, Duration.ofMinutes(10), in(590))),
                                -64,
                                Optional.of(in(590)))),
                pool(
                        "fine",
                        "10.0.0.4 10.0.0.5",
                        new KnownPool.LastCall(true, in(-53), Optional.empty()),
                        Optional.empty()),
                unknown());
    }

    static DaemonStatus busy() {
        return new DaemonStatus(
                new DaemonStatus.Program("1.2.3", "keeper-a", in(-10_800), Optional.of(in(-7))),
                new EngineStatus(
                        NOW,
                        false,
                        Optional.of(in(-200)),
                        new EngineStatus.Listing(
                                Optional.of(in(-30)),
                                Optional.of(CONFLICT),
                                in(270),
                                Optional.of(in(-900)),
                                Optional.of(in(2_700)),
                                List.of(service("poolless"), service("lacking")),
                                List.of(
                                        new AmbiguousPool(
                                                service("twice"),
                                                ArmName.of("shop-twice"),
                                                List.of(
                                                        PoolKey.of("lb-1", "shop-twice"),
                                                        PoolKey.of("lb-2", "shop-twice")),
                                                Optional.empty()),
                                        new AmbiguousPool(
                                                service("again"),
                                                ArmName.of("shop-again"),
                                                List.of(
                                                        PoolKey.of("lb-3", "shop-again"),
                                                        PoolKey.of("lb-4", "shop-again")),
                                                Optional.of(PoolKey.of("lb-4", "shop-again")))),
                                List.of(
                                        new FamilyClash(
                                                service("six"),
                                                PoolKey.of("lb-1", "shop-six"),
                                                IpFamily.IPV6,
                                                service("six-old")),
                                        new FamilyClash(
                                                service("four"),
                                                PoolKey.of("lb-1", "shop-four"),
                                                IpFamily.IPV4,
                                                service("four-old")))),
                        new EngineStatus.Work(17, 3, Optional.of(in(20)), Optional.of(in(90))),
                        new EngineStatus.Holds(
                                true,
                                List.of(
                                        new BrakedRemoval("removal-1", in(-10), in(590), 60, 100, SIXTY),
                                        new BrakedRemoval("removal-2", in(-11), in(591), 70, 200, SEVENTY)),
                                List.of(
                                        new Forbidden(ArmName.of("lb-5"), in(300), "Go away."),
                                        new Forbidden(ArmName.of("lb-6"), in(301), "Leave.")),
                                Map.of(key("fought"), in(600)),
                                List.of(service("paused"), service("stopped"))),
                        new Freshness.Snapshot(
                                Set.of(key("down")),
                                Optional.of(in(-21)),
                                Duration.ofMillis(31_900),
                                Duration.ofMillis(92_900),
                                Duration.ofMillis(13_900)),
                        pools()),
                new DaemonStatus.Cluster(
                        List.of(
                                new WatchStatus(
                                        "Service",
                                        true,
                                        false,
                                        42,
                                        Optional.of(in(-90)),
                                        5,
                                        6,
                                        Optional.of("It broke")),
                                new WatchStatus("Node", false, false, 43, Optional.empty(), 7, 8, Optional.empty())),
                        List.of(
                                new KindStatus("HTTPRoute", "v1", false, "It is refused"),
                                new KindStatus("GRPCRoute", "v1beta1", true, ""),
                                new KindStatus("XBackend", "", false, "It is not served")),
                        new DaemonStatus.Election(true, false, Optional.of("keeper-b")),
                        new ResourceLockStatus(
                                false,
                                Optional.of(new ResourceLockStatus.Holding("another", Optional.of(in(-12)), in(50))),
                                Optional.of(in(51)),
                                Optional.of("Its Lease is forbidden.")),
                        new DaemonStatus.Events(21, 22, 23)),
                new DaemonStatus.Azure(
                        new GateStatus(in(18), in(19), Map.of(ArmName.of("lb-7"), in(3))),
                        new QuotaStatus(WriteQuota.Level.SCARCE, Optional.of(37L), Optional.of(212L)),
                        new RetryModel.BudgetStatus("budget", OptionalLong.of(9), 4)),
                new DaemonStatus.Settings(
                        true,
                        live("poolkeeper.yaml", "retries.yaml"),
                        List.of(
                                new InputFault("poolkeeper.yaml", "retry.attempts", "is wrong"),
                                new InputFault("retries.yaml", "", "is gone"))),
                Optional.of(new ReadinessStatus(
                        Map.of(
                                Readiness.Reason.WAITING_FOR_POOL, 2,
                                Readiness.Reason.HELD, 5,
                                Readiness.Reason.UPDATE_FAILED, 0),
                        1,
                        6,
                        Duration.ofMillis(40_900),
                        Map.of(Readiness.Reason.IN_POOL, 14L),
                        15)),
                new DaemonStatus.Policies(
                        RetrySettings.DEFAULT,
                        "retries.yaml",
                        "the configuration",
                        24,
                        25,
                        List.of(
                                new DaemonStatus.PolicyObject("HTTPRoute shop/a", false, "Conflicted", "It is older."),
                                new DaemonStatus.PolicyObject("HTTPRoute shop/b", false, "Invalid", "It is odd."),
                                new DaemonStatus.PolicyObject(
                                        "HTTPRoute shop/c", true, "Accepted", "It is in force."))),
                List.of(
                        new DaemonStatus.MissingPermission("Azure", "read pools", "Assign a role."),
                        new DaemonStatus.MissingPermission("Kubernetes", "watch nodes", "Bind a role.")),
                List.of(
                        new RecentHour.Moment(in(-3_600), 0, Duration.ZERO),
                        new RecentHour.Moment(in(-1_800), 3, Duration.ofMillis(42_900)),
                        new RecentHour.Moment(NOW, 1, Duration.ofSeconds(21))));
    }

    private static LiveSettings live(String... files) {
        return new LiveSettings(
                RetrySources.of(RetrySettings.DEFAULT),
                true,
                50,
                Set.of("removal-9"),
                LiveSettings.LogLevels.DEFAULT,
                Stream.of(files).map(Path::of).toList());
    }

    /** Nothing has happened yet, there is no other replica, and nothing is limited. */
    static DaemonStatus idle() {
        return new DaemonStatus(
                new DaemonStatus.Program("1.2.3", "keeper-a", NOW, Optional.empty()),
                new EngineStatus(
                        NOW,
                        true,
                        Optional.empty(),
                        new EngineStatus.Listing(
                                Optional.empty(),
                                Optional.empty(),
                                NOW,
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                List.of(),
                                List.of()),
                        new EngineStatus.Work(0, 0, Optional.empty(), Optional.empty()),
                        new EngineStatus.Holds(false, List.of(), List.of(), Map.of(), List.of()),
                        new Freshness.Snapshot(Set.of(), Optional.empty(), Duration.ZERO, Duration.ZERO, Duration.ZERO),
                        List.of()),
                new DaemonStatus.Cluster(
                        List.of(new WatchStatus("Service", false, true, 0, Optional.empty(), 0, 0, Optional.empty())),
                        List.of(),
                        DaemonStatus.Election.NONE,
                        ResourceLockStatus.NONE,
                        DaemonStatus.Events.NONE),
                new DaemonStatus.Azure(
                        new GateStatus(null, null, Map.of()),
                        new QuotaStatus(WriteQuota.Level.AMPLE, Optional.empty(), Optional.empty()),
                        new RetryModel.BudgetStatus("budget", OptionalLong.empty(), 0)),
                new DaemonStatus.Settings(false, live(), List.of()),
                Optional.empty(),
                new DaemonStatus.Policies(
                        RetrySettings.DEFAULT, "the configuration", "the configuration", 0, 0, List.of()),
                List.of(),
                List.of());
    }
}
