package dev.poolkeeper.app.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.app.config.RetrySources;
import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.app.status.Statuses;
import dev.poolkeeper.azure.http.ArmAttempt;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.azure.http.QuotaStatus;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.guard.ForbiddenLoadBalancers.Forbidden;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.Loss;
import dev.poolkeeper.core.readiness.Readiness.Reason;
import dev.poolkeeper.core.readiness.ReadinessStatus;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.k8s.lease.ResourceLockStatus;
import dev.poolkeeper.k8s.watch.WatchStatus;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.WriteQuota;
import dev.poolkeeper.ports.retry.RetrySettings;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each series of a scrape, with its value and unit, at states in which no two figures are alike. */
class EveryFigureTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong();
    private final FakeTime clock = new FakeTime();
    private final Telemetry telemetry = Telemetry.start("1.2.3", Proxies.NONE);

    @AfterEach
    void stop() {
        telemetry.close();
    }

    private static Instant in(double seconds) {
        return NOW.plusMillis((long) (seconds * 1_000));
    }

    private static PoolKey pool(int number) {
        return PoolKey.of("lb-" + number, "shop-web");
    }

    private static PoolStatus pool(int number, String wanted, String held) {
        return new PoolStatus(
                pool(number),
                List.of(new ServiceName("shop", "web")),
                AddressSet.of(wanted.split(" ")),
                true,
                Optional.of(new KnownPool(pool(number), AddressSet.of(held.split(" ")), NOW, null, false, null, null)),
                0,
                Optional.empty(),
                AddressSet.empty());
    }

    /** Six pools: one in step, two that lack an address, one with one too many, two in outage. */
    private static List<PoolStatus> pools() {
        return List.of(
                pool(1, "10.0.0.1", "10.0.0.1"),
                pool(2, "10.0.0.1 10.0.0.2", "10.0.0.1"),
                pool(3, "10.0.0.1 10.0.0.2", "10.0.0.2"),
                pool(4, "10.0.0.1", "10.0.0.1 10.0.0.2"),
                pool(5, "10.0.0.1", "10.0.0.9"),
                pool(6, "10.0.0.1 10.0.0.2", "10.0.0.9"));
    }

    private static EngineStatus busyEngine() {
        BrakedRemoval braked = new BrakedRemoval("removal-1", NOW, in(590), 60, 100, new Loss.Everything(60, 100));
        return new EngineStatus(
                NOW,
                true,
                Optional.of(NOW),
                new EngineStatus.Listing(
                        Optional.of(in(-30.5)),
                        Optional.empty(),
                        in(270),
                        Optional.of(in(-900.25)),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of()),
                new EngineStatus.Work(17, 11, Optional.of(in(20)), Optional.of(in(90.5))),
                new EngineStatus.Holds(
                        true,
                        List.of(braked, braked),
                        List.of(
                                new Forbidden(ArmName.of("a"), in(300), ""),
                                new Forbidden(ArmName.of("b"), in(300), ""),
                                new Forbidden(ArmName.of("c"), in(300), "")),
                        Map.of(pool(1), in(1), pool(2), in(1), pool(3), in(1), pool(4), in(1)),
                        List.of()),
                new Freshness.Snapshot(
                        Set.of(pool(5)),
                        Optional.of(in(-20.5)),
                        Duration.ofMillis(31_500),
                        Duration.ofMillis(92_500),
                        Duration.ofMillis(13_500)),
                pools());
    }

    private static DaemonStatus busy() {
        DaemonStatus all = Statuses.with(List.of());
        return new DaemonStatus(
                new DaemonStatus.Program("1.2.3", "identity", in(-3_600), Optional.of(in(-7.5))),
                busyEngine(),
                new DaemonStatus.Cluster(
                        List.of(
                                new WatchStatus(
                                        "Service", true, false, 42, Optional.of(in(-90.5)), 5, 6, Optional.empty()),
                                new WatchStatus("Node", false, true, 43, Optional.empty(), 7, 8, Optional.empty())),
                        List.of(),
                        new DaemonStatus.Election(true, true, Optional.empty()),
                        new ResourceLockStatus(true, Optional.empty(), Optional.empty(), Optional.empty()),
                        new DaemonStatus.Events(21, 22, 23)),
                new DaemonStatus.Azure(
                        new GateStatus(in(18.5), in(19.5), Map.of(ArmName.of("a"), in(3.5), ArmName.of("b"), in(4.5))),
                        new QuotaStatus(WriteQuota.Level.NONE, Optional.of(37L), Optional.of(212L)),
                        new RetryModel.BudgetStatus("b", OptionalLong.of(9), 4)),
                new DaemonStatus.Settings(
                        true,
                        live(),
                        List.of(
                                new InputFault("poolkeeper.yaml", "retry.attempts", "x"),
                                new InputFault("poolkeeper.yaml", "retry.codes", "x"))),
                Optional.empty(),
                new DaemonStatus.Policies(RetrySettings.DEFAULT, "a", "b", 24, 25, List.of()),
                List.of(
                        new DaemonStatus.MissingPermission("Azure", "p", "r"),
                        new DaemonStatus.MissingPermission("Azure", "q", "r"),
                        new DaemonStatus.MissingPermission("Azure", "r", "r"),
                        new DaemonStatus.MissingPermission("Kubernetes", "s", "r"),
                        new DaemonStatus.MissingPermission("Kubernetes", "t", "r")),
                all.lastHour());
    }

    /** A standby that has just started, with gates that were shut until now. */
    private static DaemonStatus idle() {
        return new DaemonStatus(
                new DaemonStatus.Program("1.2.3", "identity", NOW, Optional.empty()),
                new EngineStatus(
                        NOW,
                        false,
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
                        List.of(),
                        List.of(),
                        new DaemonStatus.Election(true, false, Optional.of("other")),
                        new ResourceLockStatus(
                                false,
                                Optional.of(new ResourceLockStatus.Holding("other", Optional.empty(), in(50))),
                                Optional.of(in(50)),
                                Optional.empty()),
                        DaemonStatus.Events.NONE),
                new DaemonStatus.Azure(
                        new GateStatus(in(-5), null, Map.of()),
                        new QuotaStatus(WriteQuota.Level.AMPLE, Optional.empty(), Optional.empty()),
                        new RetryModel.BudgetStatus("b", OptionalLong.empty(), 0)),
                new DaemonStatus.Settings(false, live(), List.of()),
                Optional.empty(),
                new DaemonStatus.Policies(RetrySettings.DEFAULT, "a", "b", 0, 0, List.of()),
                List.of(),
                List.of());
    }

    private static LiveSettings live() {
        return new LiveSettings(
                RetrySources.of(RetrySettings.DEFAULT),
                false,
                50,
                Set.of(),
                LiveSettings.LogLevels.DEFAULT,
                List.of(Path.of("poolkeeper.yaml")));
    }

    @Test
    void of_a_busy_daemon() throws IOException {
        DaemonGauges.register(telemetry.meter(), EveryFigureTest::busy);

        assertThat(scraped()).containsExactlyEntriesOf(figures("""
            poolkeeper_azure_quota_remaining{kind="reads"} 212
            poolkeeper_azure_quota_remaining{kind="writes"} 37
            poolkeeper_azure_quota_short 3
            poolkeeper_build{version="1.2.3"} 1
            poolkeeper_configuration_refused 1
            poolkeeper_drift_fights 4
            poolkeeper_dry_run 1
            poolkeeper_events_total{result="dropped"} 22
            poolkeeper_events_total{result="suppressed"} 23
            poolkeeper_events_total{result="written"} 21
            poolkeeper_gate_shut_seconds{gate="load_balancers"} 4.5
            poolkeeper_gate_shut_seconds{gate="reads"} 18.5
            poolkeeper_gate_shut_seconds{gate="writes"} 19.5
            poolkeeper_isolated_load_balancers 3
            poolkeeper_last_directory_refresh_timestamp_seconds 1767268769.5
            poolkeeper_last_resync_timestamp_seconds 1767267899.75
            poolkeeper_last_successful_tick_timestamp_seconds 1767268792.5
            poolkeeper_leader 1
            poolkeeper_missing_address_seconds_total 92.5
            poolkeeper_missing_permissions 5
            poolkeeper_oldest_unserved_change_seconds 20.5
            poolkeeper_parked_groups 11
            poolkeeper_parked_longest_wait_seconds 90.5
            poolkeeper_paused 1
            poolkeeper_policies_refused 25
            poolkeeper_pool_addresses 7
            poolkeeper_pool_outage_seconds_total 31.5
            poolkeeper_pools 6
            poolkeeper_pools_differing 5
            poolkeeper_pools_in_outage 2
            poolkeeper_queue_operations 17
            poolkeeper_resource_lock_held 1
            poolkeeper_resource_lock_held_by_another 0
            poolkeeper_retry_budget_balance 9
            poolkeeper_safety_brake 1
            poolkeeper_safety_brake_addresses 120
            poolkeeper_stale_address_seconds_total 13.5
            poolkeeper_watch_lists_total{kind="Node"} 7
            poolkeeper_watch_lists_total{kind="Service"} 5
            poolkeeper_watch_objects{kind="Node"} 43
            poolkeeper_watch_objects{kind="Service"} 42
            poolkeeper_watch_open{kind="Node"} 1
            poolkeeper_watch_open{kind="Service"} 0
            poolkeeper_watch_silence_seconds{kind="Service"} 90.5
            poolkeeper_watch_stalls_total{kind="Node"} 8
            poolkeeper_watch_stalls_total{kind="Service"} 6
            poolkeeper_watch_synced{kind="Node"} 0
            poolkeeper_watch_synced{kind="Service"} 1
            """));
    }

    @Test
    void of_a_standby_that_has_just_started() throws IOException {
        DaemonGauges.register(telemetry.meter(), EveryFigureTest::idle);

        assertThat(scraped()).containsExactlyEntriesOf(figures("""
            poolkeeper_azure_quota_short 0
            poolkeeper_build{version="1.2.3"} 1
            poolkeeper_configuration_refused 0
            poolkeeper_drift_fights 0
            poolkeeper_dry_run 0
            poolkeeper_events_total{result="dropped"} 0
            poolkeeper_events_total{result="suppressed"} 0
            poolkeeper_events_total{result="written"} 0
            poolkeeper_gate_shut_seconds{gate="load_balancers"} 0
            poolkeeper_gate_shut_seconds{gate="reads"} 0
            poolkeeper_gate_shut_seconds{gate="writes"} 0
            poolkeeper_isolated_load_balancers 0
            poolkeeper_leader 0
            poolkeeper_missing_address_seconds_total 0
            poolkeeper_missing_permissions 0
            poolkeeper_oldest_unserved_change_seconds 0
            poolkeeper_parked_groups 0
            poolkeeper_parked_longest_wait_seconds 0
            poolkeeper_paused 0
            poolkeeper_policies_refused 0
            poolkeeper_pool_addresses 0
            poolkeeper_pool_outage_seconds_total 0
            poolkeeper_pools 0
            poolkeeper_pools_differing 0
            poolkeeper_pools_in_outage 0
            poolkeeper_queue_operations 0
            poolkeeper_resource_lock_held 0
            poolkeeper_resource_lock_held_by_another 1
            poolkeeper_safety_brake 0
            poolkeeper_safety_brake_addresses 0
            poolkeeper_stale_address_seconds_total 0
            """));
    }

    @ParameterizedTest
    @EnumSource
    void of_each_level_of_the_quota(WriteQuota.Level level) throws IOException {
        DaemonStatus idle = idle();
        DaemonGauges.register(
                telemetry.meter(),
                () -> new DaemonStatus(
                        idle.program(),
                        idle.engine(),
                        idle.cluster(),
                        new DaemonStatus.Azure(
                                idle.azure().gates(),
                                new QuotaStatus(level, Optional.of(0L), Optional.empty()),
                                idle.azure().retryBudget()),
                        idle.settings(),
                        Optional.empty(),
                        idle.policies(),
                        List.of(),
                        List.of()));

        assertThat(scraped())
                .containsEntry(
                        "poolkeeper_azure_quota_short",
                        switch (level) {
                            case AMPLE -> 0.0;
                            case SCARCE -> 1.0;
                            case LAST -> 2.0;
                            case NONE -> 3.0;
                        })
                .containsEntry("poolkeeper_azure_quota_remaining{kind=\"writes\"}", 0.0)
                .doesNotContainKey("poolkeeper_azure_quota_remaining{kind=\"reads\"}");
    }

    @Test
    void of_the_readiness_gate() throws IOException {
        ReadinessGauges.register(
                telemetry.meter(),
                () -> new ReadinessStatus(
                        Map.of(Reason.WAITING_FOR_POOL, 2, Reason.HELD, 3, Reason.UPDATE_FAILED, 4),
                        5,
                        6,
                        Duration.ofMillis(40_500),
                        Map.of(
                                Reason.IN_POOL, 11L,
                                Reason.NO_LOCAL_SERVICE, 12L,
                                Reason.NODE_NOT_ELIGIBLE, 13L,
                                Reason.TIMED_OUT, 14L,
                                Reason.WAITING_FOR_POOL, 15L,
                                Reason.HELD, 16L,
                                Reason.UPDATE_FAILED, 17L),
                        18));

        assertThat(scraped()).containsExactlyEntriesOf(figures("""
            poolkeeper_readiness_gate_conditions_total{reason="Held"} 16
            poolkeeper_readiness_gate_conditions_total{reason="InPool"} 11
            poolkeeper_readiness_gate_conditions_total{reason="NoLocalService"} 12
            poolkeeper_readiness_gate_conditions_total{reason="NodeNotEligible"} 13
            poolkeeper_readiness_gate_conditions_total{reason="TimedOut"} 14
            poolkeeper_readiness_gate_conditions_total{reason="UpdateFailed"} 17
            poolkeeper_readiness_gate_conditions_total{reason="WaitingForPool"} 15
            poolkeeper_readiness_gate_longest_wait_seconds 40.5
            poolkeeper_readiness_gate_refusals_total 18
            poolkeeper_readiness_gate_unwritable_pods 6
            poolkeeper_readiness_gate_waiting_pods{reason="Held"} 3
            poolkeeper_readiness_gate_waiting_pods{reason="Undecided"} 5
            poolkeeper_readiness_gate_waiting_pods{reason="UpdateFailed"} 4
            poolkeeper_readiness_gate_waiting_pods{reason="WaitingForPool"} 2
            """));
    }

    @Test
    void of_the_counters_and_histograms_of_updates() throws IOException {
        // given
        OperationMetrics metrics =
                new OperationMetrics(telemetry.meter(), telemetry.tracer(), nanos::get, "Sub-1", "MC_Group");
        // when: updates of 1.5 and 2.5 s, one of them failed, and retries
        ToldAttempt good = ToldAttempt.begin(metrics, pool(1));
        nanos.addAndGet(1_500_000_000);
        good.succeeded();
        ToldAttempt bad = ToldAttempt.begin(metrics, pool(2));
        nanos.addAndGet(2_500_000_000L);
        bad.failed(EveryMetric.CONFLICT);
        for (Failure cause : causes().keySet()) {
            ToldAttempt.begin(metrics, pool(3)).retried(cause);
        }
        metrics.accept(new Fact.RetryRefused(pool(1)));
        metrics.accept(new Fact.RetryRefused(pool(2)));
        metrics.accept(new Fact.ChangeWritten(pool(1), Duration.ofMillis(4_250)));
        // then
        String labels = "{request=\"services_local_update_backend_pool\",resource_group=\"mc_group\","
                + "source=\"local_service_backend_pool_updater\",subscription_id=\"Sub-1\"}";
        assertThat(scraped()).containsExactlyEntriesOf(figures("""
            cloudprovider_azure_op_duration_seconds_count%1$s 2
            cloudprovider_azure_op_duration_seconds_sum%1$s 4
            cloudprovider_azure_op_failure_count_total%1$s 1
            poolkeeper_network_programming_duration_seconds_count 1
            poolkeeper_network_programming_duration_seconds_sum 4.25
            poolkeeper_retries_refused_total{scope="tick"} 2
            poolkeeper_retries_total{cause="cancelled"} 1
            poolkeeper_retries_total{cause="changed_meanwhile"} 1
            poolkeeper_retries_total{cause="client_error"} 2
            poolkeeper_retries_total{cause="conflict"} 1
            poolkeeper_retries_total{cause="not_found"} 1
            poolkeeper_retries_total{cause="other"} 1
            poolkeeper_retries_total{cause="server_error"} 2
            poolkeeper_retries_total{cause="throttled"} 1
            poolkeeper_retries_total{cause="unanswered"} 1
            """.formatted(labels)));
    }

    /** Each kind of failure, and the bounds of the statuses. */
    private static Map<Failure, String> causes() {
        Map<Failure, String> causes = new LinkedHashMap<>();
        causes.put(new Failure.Throttled(NOW, false, ArmError.ofStatus(429)), "throttled");
        causes.put(new Failure.Conflict(ArmError.ofStatus(409)), "conflict");
        causes.put(new Failure.PreconditionFailed(ArmError.ofStatus(412)), "changed_meanwhile");
        causes.put(new Failure.NotFound(ArmError.ofStatus(404)), "not_found");
        causes.put(new Failure.HttpError(400, ArmError.ofStatus(400)), "client_error");
        causes.put(new Failure.HttpError(499, ArmError.ofStatus(499)), "client_error");
        causes.put(new Failure.HttpError(500, ArmError.ofStatus(500)), "server_error");
        causes.put(new Failure.HttpError(599, ArmError.ofStatus(599)), "server_error");
        causes.put(new Failure.Cancelled("c"), "cancelled");
        causes.put(Failure.Other.retriable("r"), "unanswered");
        causes.put(Failure.Other.terminal("t"), "other");
        return causes;
    }

    @Test
    void of_the_cause_of_each_failure() {
        causes().forEach((failure, cause) -> assertThat(Cause.of(failure)).isEqualTo(cause));
    }

    /** rate() counts the first failure only if the series already had a 0. */
    @Test
    void of_failures_before_the_first() throws IOException {
        ArmTelemetry unusedRequests = new ArmTelemetry(telemetry.meter(), telemetry.tracer(), telemetry.propagator());
        OperationMetrics unusedUpdates =
                new OperationMetrics(telemetry.meter(), telemetry.tracer(), nanos::get, "Sub-1", "MC_Group");

        assertThat(scraped()).containsExactlyEntriesOf(figures("""
            cloudprovider_azure_op_failure_count_total{request="services_local_update_backend_pool",\
            resource_group="mc_group",source="local_service_backend_pool_updater",subscription_id="Sub-1"} 0
            poolkeeper_retries_refused_total{scope="call"} 0
            poolkeeper_retries_refused_total{scope="tick"} 0
            """));
    }

    @Test
    void of_a_machine_with_other_letters() throws IOException {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try {
            OperationMetrics unusedUpdates =
                    new OperationMetrics(telemetry.meter(), telemetry.tracer(), nanos::get, "SUB-I", "MC_I");
            ArmTelemetry arm = new ArmTelemetry(telemetry.meter(), telemetry.tracer(), telemetry.propagator());
            observe(arm, ArmCall.Purpose.LIST, ArmCall.Outcome.TIMED_OUT, null, null);
        } finally {
            Locale.setDefault(before);
        }

        assertThat(scraped().keySet())
                .contains(
                        "cloudprovider_azure_op_failure_count_total{request=\"services_local_update_backend_pool\","
                                + "resource_group=\"mc_i\",source=\"local_service_backend_pool_updater\","
                                + "subscription_id=\"SUB-I\"}",
                        "poolkeeper_arm_request_duration_seconds_count{method=\"GET\",purpose=\"list\","
                                + "status=\"timed_out\"}");
    }

    @Test
    void of_requests() throws IOException {
        // given
        ArmTelemetry arm = new ArmTelemetry(telemetry.meter(), telemetry.tracer(), telemetry.propagator());
        CallRetries.Decision again = new CallRetries.Decision.Retry(Duration.ofSeconds(1));
        // when
        for (ArmCall.Purpose purpose : ArmCall.Purpose.values()) {
            observe(arm, purpose, ArmCall.Outcome.ANSWERED, 200, null);
        }
        observe(arm, ArmCall.Purpose.WRITE, ArmCall.Outcome.ANSWERED, 503, again);
        observe(arm, ArmCall.Purpose.READ, ArmCall.Outcome.CONNECTION_ERROR, null, again);
        observe(arm, ArmCall.Purpose.READ, ArmCall.Outcome.TIMED_OUT, null, null);
        observe(arm, ArmCall.Purpose.READ, ArmCall.Outcome.CANCELLED, null, null);
        observe(arm, ArmCall.Purpose.READ, ArmCall.Outcome.FAILED, null, null);
        observe(arm, ArmCall.Purpose.WRITE, ArmCall.Outcome.REFUSED_AT_GATE, null, null);
        observe(arm, ArmCall.Purpose.LIST, ArmCall.Outcome.REFUSED_AT_GATE, null, null);
        for (CallRetries.Reason reason : CallRetries.Reason.values()) {
            observe(arm, ArmCall.Purpose.POLL, ArmCall.Outcome.ANSWERED, 500, new CallRetries.Decision.GiveUp(reason));
        }
        // then
        assertThat(scraped().entrySet().stream()
                        .filter(figure -> !figure.getKey().contains("_sum{"))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                .containsExactlyInAnyOrderEntriesOf(figures("""
                    poolkeeper_arm_gate_refusals_total{purpose="list"} 1
                    poolkeeper_arm_gate_refusals_total{purpose="write"} 1
                    poolkeeper_arm_request_duration_seconds_count{method="GET",purpose="list",status="200"} 1
                    poolkeeper_arm_request_duration_seconds_count{method="GET",purpose="poll",status="200"} 1
                    poolkeeper_arm_request_duration_seconds_count{method="GET",purpose="poll",status="500"} %s
                    poolkeeper_arm_request_duration_seconds_count{method="GET",purpose="probe",status="200"} 1
                    poolkeeper_arm_request_duration_seconds_count{method="GET",purpose="read",status="200"} 1
                    poolkeeper_arm_request_duration_seconds_count{method="GET",purpose="read",status="cancelled"} 1
                    poolkeeper_arm_request_duration_seconds_count{method="GET",purpose="read",status="connection_error"} 1
                    poolkeeper_arm_request_duration_seconds_count{method="GET",purpose="read",status="failed"} 1
                    poolkeeper_arm_request_duration_seconds_count{method="GET",purpose="read",status="timed_out"} 1
                    poolkeeper_arm_request_duration_seconds_count{method="PUT",purpose="write",status="200"} 1
                    poolkeeper_arm_request_duration_seconds_count{method="PUT",purpose="write",status="503"} 1
                    poolkeeper_call_retries_total{cause="503",purpose="write"} 1
                    poolkeeper_call_retries_total{cause="connection_error",purpose="read"} 1
                    poolkeeper_retries_refused_total{scope="call"} 1
                    """.formatted(CallRetries.Reason.values().length)));
        assertThat(scraped())
                .containsEntry(
                        "poolkeeper_arm_request_duration_seconds_sum{method=\"GET\",purpose=\"list\",status=\"200\"}",
                        1.25);
    }

    private static void observe(
            ArmTelemetry arm,
            ArmCall.Purpose purpose,
            ArmCall.Outcome outcome,
            @Nullable Integer status,
            CallRetries.@Nullable Decision decision) {
        ArmName loadBalancer = ArmName.of("lb-1");
        arm.attempting(new ArmAttempt(purpose, loadBalancer, 1, CallContext.unbound()))
                .ended(new ArmCall(purpose, loadBalancer, 1, status, Duration.ofMillis(1_250), outcome, decision, "c"));
    }

    @Test
    void of_ticks() throws IOException {
        // given
        ObservedTicks ticks = new ObservedTicks(telemetry.meter(), telemetry.tracer(), clock, nanos::get);
        CompletableFuture<Void> running = new CompletableFuture<>();
        CompletableFuture<Void> failing = new CompletableFuture<>();
        // when
        CompletableFuture<Void> first = ticks.observe(() -> running);
        nanos.addAndGet(2_250_000_000L);
        assertThat(ticks.lastSuccess()).isEmpty();
        running.complete(null);
        Instant ended = clock.instant();
        clock.advance(Duration.ofSeconds(5));
        CompletableFuture<Void> second = ticks.observe(() -> failing);
        nanos.addAndGet(3_500_000_000L);
        failing.completeExceptionally(new IllegalStateException("x"));
        // then
        assertThat(first).isCompleted();
        assertThat(second).isCompletedExceptionally();
        assertThat(ticks.lastSuccess()).contains(ended);
        assertThat(scraped()).containsExactlyEntriesOf(figures("""
            poolkeeper_tick_duration_seconds_count{result="failed"} 1
            poolkeeper_tick_duration_seconds_count{result="ok"} 1
            poolkeeper_tick_duration_seconds_sum{result="failed"} 3.5
            poolkeeper_tick_duration_seconds_sum{result="ok"} 2.25
            """));
    }

    @Test
    void of_the_virtual_machine() throws IOException {
        // given
        System.gc();
        JvmGauges.register(telemetry.meter());
        // when
        double collecting = collectionSeconds();
        Map<String, Double> scraped = scraped();
        // then
        assertThat(scraped.keySet())
                .containsExactly(
                        "jvm_gc_time_seconds_total",
                        "jvm_memory_limit_bytes{jvm_memory_type=\"heap\"}",
                        "jvm_memory_used_bytes{jvm_memory_type=\"heap\"}",
                        "jvm_memory_used_bytes{jvm_memory_type=\"non_heap\"}",
                        "jvm_thread_count");
        assertThat(scraped.get("jvm_gc_time_seconds_total")).isBetween(collecting, collectionSeconds());
        assertThat(scraped.get("jvm_memory_limit_bytes{jvm_memory_type=\"heap\"}"))
                .isEqualTo((double) Runtime.getRuntime().maxMemory());
        assertThat(scraped.get("jvm_memory_used_bytes{jvm_memory_type=\"heap\"}"))
                .isBetween(1e6, (double) Runtime.getRuntime().maxMemory());
        assertThat(scraped.get("jvm_memory_used_bytes{jvm_memory_type=\"non_heap\"}"))
                .isBetween(1e6, 4e9);
        assertThat(scraped.get("jvm_thread_count")).isBetween(2.0, 1_000.0);
    }

    private static double collectionSeconds() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(collector -> collector.getCollectionTime())
                        .sum()
                / 1e3;
    }

    /** A scrape as Prometheus reads it: each series with its value; of histograms their sum and count. */
    private TreeMap<String, Double> scraped() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(text, telemetry.scrape());
        return figures(text.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#") && !line.startsWith("target_info") && !line.contains("_bucket{"))
                .collect(Collectors.joining("\n")));
    }

    private static TreeMap<String, Double> figures(String lines) {
        return lines.lines()
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)),
                        (a, b) -> {
                            throw new AssertionError("two of one series");
                        },
                        TreeMap::new));
    }
}
