package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.azure.http.QuotaStatus;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.engine.Why;
import dev.poolkeeper.core.guard.ForbiddenLoadBalancers.Forbidden;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.Loss;
import dev.poolkeeper.core.readiness.Readiness;
import dev.poolkeeper.core.readiness.ReadinessStatus;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.k8s.lease.ResourceLockStatus;
import dev.poolkeeper.k8s.policies.PolicyWatcher.KindStatus;
import dev.poolkeeper.k8s.watch.WatchStatus;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.WriteQuota;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each figure of the status page at a known state. */
class PageFiguresTest {

    private static final DaemonStatus STATUS =
            Statuses.with(List.of(Statuses.held(), Statuses.outage(), Statuses.inStep(1)));

    private static final Loss LOSS = new Loss.Everything(60, 100);
    private static final StatusQuery EVERYTHING = new StatusQuery(Optional.empty(), false, 500, Optional.empty());

    private static List<String> small(DaemonStatus status) {
        return lines(new Figures(status, new Times(Statuses.NOW)).small());
    }

    private static List<String> internals(DaemonStatus status) {
        return lines(new Figures(status, new Times(Statuses.NOW)).internals());
    }

    /** Foreign texts are left out: other tests look at them. */
    private static List<String> lines(List<PageModel.Figure> figures) {
        return figures.stream()
                .map(figure -> (figure.bad() ? "! " : "") + figure.name() + ": " + figure.value())
                .map(line -> line.replace(Statuses.HOSTILE, "*"))
                .toList();
    }

    @Test
    void for_everyone() {
        assertThat(small(STATUS)).containsExactly("""
            Leader: *
            ! Resource lock holder: *, expires 2026-01-01T12:00:50Z, in 50 s
            Retries available in the budget: 8
            Reads throttled until: not throttled
            ! Writes throttled until: 2026-01-01T12:00:17Z, in 17 s
            ! Busy: *: 2026-01-01T12:00:03Z, in 3 s
            ! Remaining Azure quota: writes 37, reads 212; writing outages first, the rest one at a time
            ! Watches open: 0 of 1
            ! Pools in outage: 1
            Oldest unwritten change: 2026-01-01T11:59:40Z, 20 s ago
            Outage time, summed over pools: 30 s
            Missing time, summed over addresses: 90 s
            Stale time, summed over addresses: 10 s
            ! Pods waiting for their readiness gate: 4 (1 Held, 2 WaitingForPool, 1 without a condition yet, 1\
             whose condition cannot be set), longest 40 s
            Operations waiting: 7
            Pools parked: 1, 2026-01-01T12:00:20Z, in 20 s
            """.lines().toArray(String[]::new));
    }

    @Test
    void for_those_who_know_the_internals() {
        assertThat(internals(STATUS)).containsExactly("""
            Version: 1.2.3
            Identity: *
            Started: 2026-01-01T11:00:00Z, 60 min ago
            Leading or on standby since: 2026-01-01T11:59:00Z, 60 s ago
            Cluster read: yes
            Last successful tick: 2026-01-01T11:59:53Z, 7 s ago
            Last listing: 2026-01-01T11:59:30Z, 30 s ago
            Next listing: 2026-01-01T12:04:30Z, in 4 min
            Last comparison of all pools: 2026-01-01T11:45:00Z, 15 min ago
            Next comparison: never
            Retry budget: 20 % of all requests of 1m, or 6 in 1m if that is more
            Retries refused: 4
            ! Events: 11 written, 12 dropped, 13 suppressed
            Settings files: [poolkeeper.yaml]
            Retries: 408, 500, 502, 503, 504 and connection errors, at most 3 times, wait at least 800ms, doubling\
             up to 8s, with jitter, time for a request without limit, for an attempt 1m
            Retries set by: *
            ! Retry policies of the cluster: 3 in force, 1 not in force
            ! Watch on HTTPRoute: not open; *
            """.lines().toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        AMPLE  | Remaining Azure quota: writes 37, reads 212
        SCARCE | ! Remaining Azure quota: writes 37, reads 212; writing outages first, the rest one at a time
        LAST   | ! Remaining Azure quota: writes 37, reads 212; writing only outages, one at a time
        NONE   | ! Remaining Azure quota: writes 37, reads 212; writing nothing
        """)
    void the_effect_of_each_level_of_the_quota(WriteQuota.Level level, String figure) {
        QuotaStatus quota = new QuotaStatus(level, Optional.of(37L), Optional.of(212L));
        assertThat(small(with(new DaemonStatus.Azure(
                        STATUS.azure().gates(), quota, STATUS.azure().retryBudget()))))
                .contains(figure);
    }

    @Test
    void what_is_not_known_or_without_limit_is_said_so() {
        DaemonStatus.Azure azure = new DaemonStatus.Azure(
                new GateStatus(Statuses.NOW.plusSeconds(9), null, Map.of()),
                new QuotaStatus(WriteQuota.Level.AMPLE, Optional.empty(), Optional.empty()),
                new RetryModel.BudgetStatus("b", OptionalLong.empty(), 0));
        assertThat(small(with(azure)))
                .contains(
                        "Retries available in the budget: no limit",
                        "! Reads throttled until: 2026-01-01T12:00:09Z, in 9 s",
                        "Writes throttled until: not throttled",
                        "Remaining Azure quota: writes unknown, reads unknown");
        DaemonStatus.Azure exhausted = new DaemonStatus.Azure(
                azure.gates(), azure.quota(), new RetryModel.BudgetStatus("b", OptionalLong.of(0), 0));
        assertThat(small(with(exhausted))).contains("! Retries available in the budget: 0");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
        true,  true,  keeper-a, false, This replica leads,                                        keeper-a
        true,  false, keeper-b, false, This replica is on standby,                                keeper-b
        true,  false, -,        true,  This replica is on standby; dry run: writes are disabled,  unknown
        false, true,  -,        true,  This replica leads; dry run: writes are disabled,          no election
        false, true,  keeper-a, false, This replica leads,                                        no election
        """)
    void who_leads(boolean enabled, boolean leading, String leader, boolean dryRun, String role, String figure) {
        DaemonStatus.Cluster cluster = STATUS.cluster();
        DaemonStatus status = new DaemonStatus(
                STATUS.program(),
                STATUS.engine(),
                new DaemonStatus.Cluster(
                        cluster.watches(),
                        cluster.policyKinds(),
                        new DaemonStatus.Election(enabled, leading, Optional.ofNullable(leader)),
                        cluster.resourceLock(),
                        cluster.events()),
                STATUS.azure(),
                new DaemonStatus.Settings(dryRun, STATUS.settings().live(), List.of()),
                STATUS.readinessGate(),
                STATUS.policies(),
                List.of(),
                List.of());

        assertThat(new Figures(status, new Times(Statuses.NOW)).role()).isEqualTo(role);
        assertThat(small(status)).contains("Leader: " + figure);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = '|', textBlock = """
        true  | keeper-a | Resource lock holder: this replica, expires 2026-01-01T12:00:09Z, in 9 s
        true  | -        | Resource lock holder: this replica
        false | other    | Resource lock holder: other, expires 2026-01-01T12:00:09Z, in 9 s
        false | -        | Resource lock holder: unknown
        """)
    void who_holds_the_resource_lock(boolean held, String holder, String figure) {
        Optional<ResourceLockStatus.Holding> holding = Optional.ofNullable(holder)
                .map(name -> new ResourceLockStatus.Holding(name, Optional.empty(), Statuses.NOW.plusSeconds(9)));

        assertThat(small(calmBut(cluster(
                        new ResourceLockStatus(held, holding, Optional.empty(), Optional.empty()),
                        DaemonStatus.Events.NONE))))
                .contains(figure);
    }

    @Test
    void each_load_balancer_that_is_busy_has_a_figure() {
        GateStatus gates = new GateStatus(
                null,
                null,
                Map.of(
                        ArmName.of("lb-1"), Statuses.NOW.plusSeconds(1),
                        ArmName.of("lb-2"), Statuses.NOW.plusSeconds(2),
                        ArmName.of("lb-3"), Statuses.NOW.plusSeconds(3)));

        assertThat(small(calmBut(azure(gates, WriteQuota.Level.AMPLE, 1))))
                .contains(
                        "! Busy: lb-1: 2026-01-01T12:00:01Z, in 1 s",
                        "! Busy: lb-2: 2026-01-01T12:00:02Z, in 2 s",
                        "! Busy: lb-3: 2026-01-01T12:00:03Z, in 3 s");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0 | 0 | 0 | 0 | 0 | none
        0 | 0 | 0 | 0 | 9 | none
        1 | 0 | 0 | 0 | 0 | 1 (1 WaitingForPool), longest 59 s
        0 | 2 | 0 | 0 | 0 | 2 (2 Held), longest 59 s
        0 | 0 | 3 | 0 | 0 | 3 (3 UpdateFailed), longest 59 s
        0 | 0 | 0 | 4 | 0 | 4 (4 without a condition yet), longest 59 s
        5 | 3 | 4 | 2 | 1 | 14 (3 Held, 4 UpdateFailed, 5 WaitingForPool, 2 without a condition yet, 1 whose\
         condition cannot be set), longest 59 s
        """)
    void what_pods_wait_for(int pool, int held, int failed, int undecided, int unwritable, String figure) {
        ReadinessStatus gate = new ReadinessStatus(
                Map.of(
                        Readiness.Reason.WAITING_FOR_POOL, pool,
                        Readiness.Reason.HELD, held,
                        Readiness.Reason.UPDATE_FAILED, failed),
                undecided,
                unwritable,
                Duration.ofMillis(59_999),
                Map.of(Readiness.Reason.IN_POOL, 7L),
                8);

        assertThat(small(calmBut(gate)))
                .contains((unwritable > 0 ? "! " : "") + "Pods waiting for their readiness gate: " + figure);
    }

    /** Nothing needs attention: what could be bad is at its limit. */
    private static DaemonStatus calm() {
        EngineStatus engine =
                Statuses.with(List.of(Statuses.held(), Statuses.inStep(1))).engine();
        return new DaemonStatus(
                STATUS.program(),
                engine,
                with(watch("Service", true, true), new KindStatus("HTTPRoute", "", false, "not served")),
                new DaemonStatus.Azure(
                        new GateStatus(null, null, Map.of()),
                        new QuotaStatus(WriteQuota.Level.AMPLE, Optional.of(0L), Optional.of(0L)),
                        new RetryModel.BudgetStatus("b", OptionalLong.of(1), 4)),
                STATUS.settings(),
                Optional.of(gate(0, Duration.ofMinutes(5))),
                policies(0),
                List.of(),
                List.of());
    }

    private static DaemonStatus.Cluster with(WatchStatus watch, KindStatus kind) {
        return new DaemonStatus.Cluster(
                List.of(watch("Node", true, true), watch, watch("EndpointSlice", true, true)),
                List.of(kind),
                STATUS.cluster().election(),
                new ResourceLockStatus(true, Optional.empty(), Optional.empty(), Optional.empty()),
                new DaemonStatus.Events(11, 0, 13));
    }

    private static ReadinessStatus gate(int unwritable, Duration longestWait) {
        return new ReadinessStatus(
                Map.of(Readiness.Reason.WAITING_FOR_POOL, 2), 1, unwritable, longestWait, Map.of(), 3);
    }

    private static DaemonStatus.Policies policies(int refused) {
        return new DaemonStatus.Policies(RetrySettings.DEFAULT, "a", "b", 3, refused, List.of());
    }

    private static DaemonStatus calmBut(Object part) {
        DaemonStatus calm = calm();
        return new DaemonStatus(
                calm.program(),
                part instanceof EngineStatus engine ? engine : calm.engine(),
                part instanceof DaemonStatus.Cluster cluster ? cluster : calm.cluster(),
                part instanceof DaemonStatus.Azure azure ? azure : calm.azure(),
                calm.settings(),
                part instanceof ReadinessStatus gate ? Optional.of(gate) : calm.readinessGate(),
                part instanceof DaemonStatus.Policies policies ? policies : calm.policies(),
                List.of(),
                List.of());
    }

    private static DaemonStatus.Azure azure(GateStatus gates, WriteQuota.Level level, long balance) {
        return new DaemonStatus.Azure(
                gates,
                new QuotaStatus(level, Optional.of(9L), Optional.of(9L)),
                new RetryModel.BudgetStatus("b", OptionalLong.of(balance), 0));
    }

    private static DaemonStatus.Cluster cluster(ResourceLockStatus lock, DaemonStatus.Events events) {
        DaemonStatus.Cluster calm = calm().cluster();
        return new DaemonStatus.Cluster(calm.watches(), calm.policyKinds(), calm.election(), lock, events);
    }

    static Stream<Arguments> parts() {
        Instant later = Statuses.NOW.plusSeconds(9);
        GateStatus open = new GateStatus(null, null, Map.of());
        WatchStatus fine = watch("Service", true, true);
        KindStatus missing = new KindStatus("HTTPRoute", "", false, "");
        ResourceLockStatus held = new ResourceLockStatus(true, Optional.empty(), Optional.empty(), Optional.empty());
        Optional<ResourceLockStatus.Holding> other =
                Optional.of(new ResourceLockStatus.Holding("other", Optional.empty(), later));
        DaemonStatus.Events events = new DaemonStatus.Events(1, 0, 1);
        return Stream.of(
                arguments(with(fine, missing), ""),
                arguments(with(fine, new KindStatus("HTTPRoute", "", false, "trouble")), ""),
                arguments(with(fine, new KindStatus("HTTPRoute", "v1", true, "")), ""),
                arguments(with(fine, new KindStatus("HTTPRoute", "v1", true, "trouble")), ""),
                arguments(with(fine, new KindStatus("HTTPRoute", "v1", false, "")), "Watch on HTTPRoute"),
                arguments(with(fine, new KindStatus("HTTPRoute", "v1", false, "trouble")), "Watch on HTTPRoute"),
                arguments(with(watch("Service", true, false), missing), "Watches open"),
                arguments(with(watch("Service", false, true), missing), "Cluster read"),
                arguments(cluster(held, new DaemonStatus.Events(0, 1, 0)), "Events"),
                arguments(cluster(ResourceLockStatus.NONE, events), ""),
                arguments(cluster(new ResourceLockStatus(true, other, Optional.empty(), Optional.empty()), events), ""),
                arguments(
                        cluster(new ResourceLockStatus(false, other, Optional.of(later), Optional.empty()), events),
                        "Resource lock holder"),
                arguments(azure(open, WriteQuota.Level.AMPLE, 0), "Retries available in the budget"),
                arguments(azure(open, WriteQuota.Level.SCARCE, 1), "Remaining Azure quota"),
                arguments(azure(open, WriteQuota.Level.LAST, 1), "Remaining Azure quota"),
                arguments(azure(open, WriteQuota.Level.NONE, 1), "Remaining Azure quota"),
                arguments(
                        azure(new GateStatus(later, null, Map.of()), WriteQuota.Level.AMPLE, 1),
                        "Reads throttled until"),
                arguments(
                        azure(new GateStatus(null, later, Map.of()), WriteQuota.Level.AMPLE, 1),
                        "Writes throttled until"),
                arguments(
                        azure(new GateStatus(null, null, Map.of(ArmName.of("lb-1"), later)), WriteQuota.Level.AMPLE, 1),
                        "Busy: lb-1"),
                arguments(
                        Statuses.with(List.of(Statuses.inStep(1), Statuses.outage()))
                                .engine(),
                        "Pools in outage"),
                arguments(withoutListing(), "Pools in outage, Cluster read"),
                arguments(gate(0, Duration.ofMinutes(5).plusMillis(1)), "Pods waiting for their readiness gate"),
                arguments(gate(1, Duration.ZERO), "Pods waiting for their readiness gate"),
                arguments(policies(1), "Retry policies of the cluster"));
    }

    @ParameterizedTest(name = "{index}: {1}")
    @MethodSource("parts")
    void a_figure_is_marked_only_where_something_is_wrong(Object part, String marked) {
        DaemonStatus status = calmBut(part);
        assertThat(Stream.concat(
                                new Figures(status, new Times(Statuses.NOW)).small().stream(),
                                new Figures(status, new Times(Statuses.NOW)).internals().stream())
                        .filter(PageModel.Figure::bad)
                        .map(PageModel.Figure::name)
                        .collect(Collectors.joining(", ")))
                .isEqualTo(marked);
    }

    @ParameterizedTest
    @CsvSource({
        "0, in 0 s",
        "1, in 1 s",
        "119, in 119 s",
        "120, in 2 min",
        "179, in 2 min",
        "7199, in 119 min",
        "7200, in 2 h",
        "90000, in 25 h",
        "-1, 1 s ago",
        "-119, 119 s ago",
        "-120, 2 min ago",
        "-7199, 119 min ago",
        "-7200, 2 h ago"
    })
    void the_distance_of_an_instant(int seconds, String distance) {
        assertThat(new Times(Statuses.NOW).of(Statuses.NOW.plusSeconds(seconds)))
                .isEqualTo(Statuses.NOW.plusSeconds(seconds) + ", " + distance);
    }

    @ParameterizedTest
    @CsvSource({"true,  true,  true", "true,  false, false", "false, true,  false", "false, false, false"})
    void a_daemon_is_ready_once_all_kinds_were_read_and_the_load_balancers_were_listed(
            boolean synced, boolean listed, boolean ready) {
        DaemonStatus.Cluster cluster = cluster(watch("Service", true, false), watch("Node", synced, false));
        DaemonStatus status = new DaemonStatus(
                STATUS.program(),
                listed ? STATUS.engine() : withoutListing(),
                cluster,
                STATUS.azure(),
                STATUS.settings(),
                STATUS.readinessGate(),
                STATUS.policies(),
                List.of(),
                List.of());
        assertThat(status.isReady()).isEqualTo(ready);
        assertThat(internals(status)).contains(ready ? "Cluster read: yes" : "! Cluster read: not yet");
    }

    @ParameterizedTest
    @CsvSource({"false, false, true", "true, false, false", "false, true, false", "true, true, false"})
    void a_daemon_is_cut_off_while_no_watch_is_open(boolean first, boolean second, boolean cutOff) {
        DaemonStatus status = new DaemonStatus(
                STATUS.program(),
                STATUS.engine(),
                cluster(watch("Service", true, first), watch("Node", true, second)),
                STATUS.azure(),
                STATUS.settings(),
                STATUS.readinessGate(),
                STATUS.policies(),
                List.of(),
                List.of());
        assertThat(status.isCutOff()).isEqualTo(cutOff);
    }

    private static WatchStatus closed(String kind, String error) {
        Optional<String> lastError = Optional.ofNullable(error);
        return new WatchStatus(kind, true, false, 1, Optional.empty(), 1, 0, lastError);
    }

    @ParameterizedTest
    @CsvSource({
        ",  ,  ,  ''",
        "a, ,  ,  ' The last error: a.'",
        ",  b, ,  ' The last error: b.'",
        ",  ,  c, ' The last error: c.'",
        ",  b, c, ' The last error: b.'",
        "a, b, c, ' The last error: a.'"
    })
    void a_daemon_that_is_cut_off_shows_the_error_of_whichever_watch_has_one(
            String first, String second, String third, String error) {
        DaemonStatus status = new DaemonStatus(
                STATUS.program(),
                STATUS.engine(),
                cluster(closed("Service", first), closed("EndpointSlice", second), closed("Node", third)),
                STATUS.azure(),
                STATUS.settings(),
                STATUS.readinessGate(),
                STATUS.policies(),
                List.of(),
                List.of());

        assertThat(new Problems(status, new Times(Statuses.NOW)).list())
                .filteredOn(problem -> problem.title().equals("No watch on the API server is open"))
                .extracting(Problem::text)
                .containsExactly("Changes in the cluster go unnoticed." + error);
    }

    /** Each reason of a pool: whether it needs attention. In outage all do, if this replica knows that they are. */
    @ParameterizedTest
    @CsvSource({
        "INCOMPLETE, true",
        "NOT_LEADING, false",
        "NOT_LISTED, true",
        "HELD, true",
        "IN_PROGRESS, false",
        "LOCK_HELD, true",
        "PARKED, true",
        "RETRYING, true",
        "QUEUED, false",
        "FAILED, true",
        "NOT_COMPARED, true"
    })
    void a_pool_needs_attention_unless_its_wait_passes_by_itself(Difference.Reason reason, boolean lasts) {
        assertThat(problems(reason, "10.0.0.4", "10.0.0.9")).isEqualTo(lasts ? 1 : 0);
        boolean known = reason != Difference.Reason.NOT_LEADING;
        assertThat(problems(reason, "10.0.0.9")).as("in outage").isEqualTo(known ? 1 : 0);
    }

    private static long problems(Difference.Reason reason, String... held) {
        PoolStatus waiting = Statuses.queued();
        PoolStatus pool = new PoolStatus(
                waiting.pool(),
                waiting.services(),
                waiting.wanted(),
                true,
                Optional.of(new KnownPool(waiting.pool(), AddressSet.of(held), Statuses.NOW, null, false, null, null)),
                0,
                Optional.of(new Difference(Statuses.why(reason), Optional.empty(), Optional.empty())),
                AddressSet.empty());
        return new Problems(Statuses.with(List.of(pool)), new Times(Statuses.NOW))
                .list().stream()
                        .filter(problem -> problem.title().startsWith("shop/quick: "))
                        .count();
    }

    @Test
    void each_load_balancer_that_denies_access_is_reported() {
        EngineStatus.Holds holds = new EngineStatus.Holds(
                false,
                List.of(),
                List.of(
                        new Forbidden(ArmName.of("lb-1"), Statuses.NOW, "denied"),
                        new Forbidden(ArmName.of("lb-2"), Statuses.NOW, "denied")),
                Map.of(),
                List.of());

        assertThat(titles(holds, List.of()))
                .contains(
                        "Access to pools of load balancer lb-1 is denied",
                        "Access to pools of load balancer lb-2 is denied");
    }

    @Test
    void each_held_removal_is_reported_once_and_not_for_each_of_its_pools() {
        EngineStatus.Holds holds = new EngineStatus.Holds(
                false, List.of(braked("removal-1"), braked("removal-2")), List.of(), Map.of(), List.of());
        List<PoolStatus> pools = Stream.of("removal-1", "removal-1", "removal-2", "removal-2", "removal-3")
                .map(PageFiguresTest::heldBy)
                .toList();

        List<String> titles = titles(holds, pools);

        assertThat(titles)
                .filteredOn(title -> title.startsWith("shop/"))
                .as("what is held for another reason")
                .singleElement()
                .asString()
                .startsWith("shop/removal-3: ");
        assertThat(titles)
                .filteredOn("The safety brake holds a removal"::equals)
                .hasSize(2);
    }

    @Test
    void a_pool_in_outage_is_reported_even_if_its_removal_is() {
        PoolStatus held = heldBy("removal-1");
        PoolStatus down = new PoolStatus(
                held.pool(),
                held.services(),
                AddressSet.of("10.0.0.77"),
                true,
                held.known(),
                0,
                held.difference(),
                AddressSet.empty());
        EngineStatus.Holds holds =
                new EngineStatus.Holds(false, List.of(braked("removal-1")), List.of(), Map.of(), List.of());

        assertThat(titles(holds, List.of(held, down, held)))
                .filteredOn(title -> title.startsWith("shop/"))
                .containsExactly("shop/removal-1: outage: held (pool shop-quick on lb-1)");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
        -,  -, ''
        -9, -, 'Since 2026-01-01T11:59:51Z, 9 s ago.'
        -,  9, 'Until 2026-01-01T12:00:09Z, in 9 s.'
        -9, 9, 'Since 2026-01-01T11:59:51Z, 9 s ago. Until 2026-01-01T12:00:09Z, in 9 s.'
        """)
    void since_when_and_until_when_if_known(Integer since, Integer until, String moments) {
        Difference difference = new Difference(
                Statuses.why(Difference.Reason.FAILED),
                Optional.ofNullable(since).map(Statuses.NOW::plusSeconds),
                Optional.ofNullable(until).map(Statuses.NOW::plusSeconds));

        assertThat(Problem.of("title", difference, new Times(Statuses.NOW)).moments())
                .isEqualTo(moments);
    }

    private static BrakedRemoval braked(String removal) {
        return new BrakedRemoval(removal, Statuses.NOW, Statuses.NOW, 60, 100, LOSS);
    }

    private static PoolStatus heldBy(String removal) {
        HoldCause held = new HoldCause.Braked(removal, LOSS, Duration.ZERO, Statuses.NOW);
        PoolStatus waiting = Statuses.queued();
        return new PoolStatus(
                waiting.pool(),
                List.of(new ServiceName("shop", removal)),
                waiting.wanted(),
                true,
                waiting.known(),
                0,
                Optional.of(new Difference(new Why.OnHold(held), Optional.empty(), Optional.empty())),
                AddressSet.empty());
    }

    private static List<String> titles(EngineStatus.Holds holds, List<PoolStatus> pools) {
        EngineStatus engine = STATUS.engine();
        DaemonStatus status = with(new EngineStatus(
                engine.at(),
                engine.leading(),
                engine.leadingSince(),
                engine.listing(),
                engine.work(),
                holds,
                engine.freshness(),
                pools));
        return new Problems(status, new Times(Statuses.NOW))
                .list().stream().map(Problem::title).toList();
    }

    private static DaemonStatus with(EngineStatus engine) {
        return new DaemonStatus(
                STATUS.program(),
                engine,
                STATUS.cluster(),
                STATUS.azure(),
                STATUS.settings(),
                STATUS.readinessGate(),
                STATUS.policies(),
                STATUS.missingPermissions(),
                STATUS.lastHour());
    }

    private static WatchStatus watch(String kind, boolean synced, boolean open) {
        return new WatchStatus(kind, synced, open, 1, Optional.empty(), 1, 0, Optional.empty());
    }

    private static DaemonStatus.Cluster cluster(WatchStatus... watches) {
        DaemonStatus.Cluster cluster = STATUS.cluster();
        return new DaemonStatus.Cluster(
                List.of(watches), cluster.policyKinds(), cluster.election(), cluster.resourceLock(), cluster.events());
    }

    private static EngineStatus withoutListing() {
        EngineStatus engine = STATUS.engine();
        return new EngineStatus(
                engine.at(),
                engine.leading(),
                engine.leadingSince(),
                new EngineStatus.Listing(
                        Optional.empty(),
                        Optional.empty(),
                        Statuses.NOW,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of()),
                engine.work(),
                engine.holds(),
                engine.freshness(),
                engine.pools());
    }

    private static DaemonStatus with(DaemonStatus.Azure azure) {
        return new DaemonStatus(
                STATUS.program(),
                STATUS.engine(),
                STATUS.cluster(),
                azure,
                STATUS.settings(),
                STATUS.readinessGate(),
                STATUS.policies(),
                STATUS.missingPermissions(),
                STATUS.lastHour());
    }

    @Test
    void a_row_names_every_service_of_its_pool() {
        PoolStatus shared = new PoolStatus(
                PoolKey.of("lb-1", "shop-web"),
                List.of(new ServiceName("shop", "web"), new ServiceName("prod", "api")),
                AddressSet.of("10.0.0.4"),
                true,
                Optional.empty(),
                0,
                Optional.empty(),
                AddressSet.empty());
        assertThat(PoolRow.of(shared, new Times(Statuses.NOW)).services()).isEqualTo("shop/web, prod/api");
    }

    private static StatusAnswer answer(DaemonStatus status) {
        return StatusAnswer.to(EVERYTHING, status, (service, pool, node) -> {
            throw new AssertionError("no node was requested");
        });
    }

    private static JsonNode json(DaemonStatus status) throws IOException {
        return JsonMapper.builder().build().readTree(StatusJson.of(answer(status)));
    }

    @Test
    void the_charts_have_the_figures_and_units_of_the_last_hour() {
        assertThat(PageModel.of(answer(STATUS), EVERYTHING).charts())
                .extracting(Chart::title, Chart::inWords)
                .containsExactly(
                        tuple("Pools not in step", "1 last, 3 at most"),
                        tuple("Age of the oldest unwritten change", "0 s last, 42 s at most"));
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void as_text_a_pool_has_a_paragraph_only_if_it_has_a_difference(boolean adopted, boolean differs)
            throws IOException {
        Difference difference =
                new Difference(Statuses.why(Difference.Reason.QUEUED), Optional.empty(), Optional.empty());
        PoolStatus pool = new PoolStatus(
                PoolKey.of("lb-1", "shop-web"),
                List.of(new ServiceName("shop", "web")),
                AddressSet.of("10.0.0.4"),
                adopted,
                Optional.empty(),
                0,
                Optional.of(difference).filter(one -> differs),
                AddressSet.empty());

        List<String> lines = new StatusText(json(Statuses.with(List.of(pool)))).lines(Optional.empty());

        assertThat(lines.stream().filter(line -> line.startsWith("shop/web:"))).hasSize(differs ? 1 : 0);
    }

    @Test
    void durations_are_seconds_in_json() throws IOException {
        JsonNode json = json(STATUS);
        assertThat(json.at("/engine/freshness/outage").asDouble()).isEqualTo(30);
        assertThat(json.at("/readinessGate/longestWait").asDouble()).isEqualTo(40);
    }

    @Test
    void an_unknown_leader_is_not_named_in_text() throws IOException {
        JsonNode json = JsonMapper.builder().build().readTree("{\"cluster\":{\"election\":{\"leader\":null}}}");
        assertThat(new StatusText(json).lines(Optional.empty())).noneMatch(line -> line.contains("null"));
    }
}
