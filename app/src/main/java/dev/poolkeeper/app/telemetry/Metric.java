package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Metric.Kind.COUNTER;
import static dev.poolkeeper.app.telemetry.Metric.Kind.GAUGE;
import static dev.poolkeeper.app.telemetry.Metric.Kind.HISTOGRAM;

import java.util.List;

/**
 * Every metric of the daemon, as Prometheus names it. {@code docs/metrics.md} is made from this list.
 *
 * <p>No label grows with the number of Services, pools or load balancers.
 */
public enum Metric {
    OPERATION_DURATION(
            "cloudprovider_azure_op_duration_seconds",
            HISTOGRAM,
            "s",
            "From the read of a pool to the outcome that its Services were told: updated, or given up. Nothing for a"
                    + " retry, a parked group or a pool that is gone.",
            Label.UPSTREAM),
    OPERATION_FAILURES(
            "cloudprovider_azure_op_failure_count_total",
            COUNTER,
            "{operation}",
            "Updates of a pool that were given up.",
            Label.UPSTREAM),
    RETRIES(
            "poolkeeper_retries_total",
            COUNTER,
            "{group}",
            "Groups that failed and were requeued, by what failed.",
            "cause"),
    RETRIES_REFUSED(
            "poolkeeper_retries_refused_total",
            COUNTER,
            "{retry}",
            "Retries that the retry budget refused: of a group (`tick`), or inside a call (`call`).",
            "scope"),
    CALL_RETRIES(
            "poolkeeper_call_retries_total",
            COUNTER,
            "{retry}",
            "Requests to ARM that were sent again inside a call, by what for and by the status or error that they met.",
            "purpose",
            "cause"),
    ARM_REQUEST_DURATION(
            "poolkeeper_arm_request_duration_seconds",
            HISTOGRAM,
            "s",
            "Requests to ARM, each attempt for itself, the token included. `status` is the HTTP status, or"
                    + " `connection_error`, `timed_out`, `cancelled` or `failed` where there was none.",
            "method",
            "purpose",
            "status"),
    ARM_GATE_REFUSALS(
            "poolkeeper_arm_gate_refusals_total",
            COUNTER,
            "{request}",
            "Requests that were not sent because the throttling gate was shut.",
            "purpose"),
    QUOTA_REMAINING(
            "poolkeeper_azure_quota_remaining",
            GAUGE,
            "{request}",
            "How many requests Azure Resource Manager last said that it would still answer at once, of `writes` and of"
                    + " `reads`; absent where it never said.",
            "kind"),
    QUOTA_SHORT(
            "poolkeeper_azure_quota_short",
            GAUGE,
            "{level}",
            "What follows from that: 0 nothing, 1 outages are written first and the rest one at a time, 2 outages alone"
                    + " and one at a time, 3 nothing is written."),
    GATE_SHUT(
            "poolkeeper_gate_shut_seconds",
            GAUGE,
            "s",
            "For how much longer the throttling gate is shut, 0 while it is open; `load_balancers` is the longest of"
                    + " those that are busy with another operation.",
            "gate"),
    TICK_DURATION(
            "poolkeeper_tick_duration_seconds",
            HISTOGRAM,
            "s",
            "Ticks, from start until the last lane that they began is free, ticks made up for included; `result` is"
                    + " `ok` or `failed`.",
            "result"),
    LAST_SUCCESSFUL_TICK(
            "poolkeeper_last_successful_tick_timestamp_seconds",
            GAUGE,
            "s",
            "When a tick last ended without an error of its own. Absent before the first."),
    QUEUE_OPERATIONS(
            "poolkeeper_queue_operations", GAUGE, "{operation}", "Operations that wait in the queue, parked ones too."),
    PARKED_GROUPS("poolkeeper_parked_groups", GAUGE, "{group}", "Pools whose operations wait for their time."),
    PARKED_LONGEST_WAIT(
            "poolkeeper_parked_longest_wait_seconds",
            GAUGE,
            "s",
            "For how much longer the one of them that waits longest is parked."),
    BUDGET_BALANCE(
            "poolkeeper_retry_budget_balance",
            GAUGE,
            "{retry}",
            "How many retries the budget would admit at once now. Absent where it has no limit."),
    LEADER("poolkeeper_leader", GAUGE, "{boolean}", "1 while this replica leads, else 0."),
    RESOURCE_LOCK_HELD(
            "poolkeeper_resource_lock_held",
            GAUGE,
            "{boolean}",
            "1 while this replica holds the lock that Azure's other writers honour, else 0."),
    RESOURCE_LOCK_HELD_BY_ANOTHER(
            "poolkeeper_resource_lock_held_by_another",
            GAUGE,
            "{boolean}",
            "1 while another writer was seen to hold that lock when this replica needed it, else 0."),
    POOLS("poolkeeper_pools", GAUGE, "{pool}", "Pools of local Services that are kept in step."),
    POOLS_DIFFERING(
            "poolkeeper_pools_differing",
            GAUGE,
            "{pool}",
            "Pools that held something else than was wanted when they were last read or written."),
    LAST_DIRECTORY_REFRESH(
            "poolkeeper_last_directory_refresh_timestamp_seconds",
            GAUGE,
            "s",
            "When the load balancers were last listed. Absent before the first time."),
    LAST_RESYNC(
            "poolkeeper_last_resync_timestamp_seconds",
            GAUGE,
            "s",
            "When all pools were last compared with what is wanted. Absent before the first time."),
    CHANGE_TO_WRITTEN(
            "poolkeeper_network_programming_duration_seconds",
            HISTOGRAM,
            "s",
            "From a change of what a pool is to hold until it holds that: Kubernetes' network programming latency, for"
                    + " load balancers. Nothing for a change that is taken back before it was written."),
    POOLS_IN_OUTAGE(
            "poolkeeper_pools_in_outage",
            GAUGE,
            "{pool}",
            "Pools that hold none of the addresses that are wanted there, so that all their traffic fails."),
    OLDEST_CHANGE(
            "poolkeeper_oldest_unserved_change_seconds",
            GAUGE,
            "s",
            "How long the oldest change that is not written yet has waited; 0 if there is none."),
    OUTAGE_TIME(
            "poolkeeper_pool_outage_seconds_total",
            COUNTER,
            "s",
            "For how long pools have held none of the wanted addresses while this replica led, summed over pools."),
    MISSING_ADDRESS_TIME(
            "poolkeeper_missing_address_seconds_total",
            COUNTER,
            "s",
            "For how long wanted addresses were missing from pools while this replica led, summed over addresses."),
    STALE_ADDRESS_TIME(
            "poolkeeper_stale_address_seconds_total",
            COUNTER,
            "s",
            "For how long pools held addresses that were not wanted while this replica led, summed over addresses."),
    SAFETY_BRAKE(
            "poolkeeper_safety_brake", GAUGE, "{boolean}", "1 while the safety brake holds removals back, else 0."),
    PAUSED("poolkeeper_paused", GAUGE, "{boolean}", "1 while all writes are paused by configuration, else 0."),
    DRY_RUN("poolkeeper_dry_run", GAUGE, "{boolean}", "1 where nothing is ever written, else 0."),
    DRIFT_FIGHTS("poolkeeper_drift_fights", GAUGE, "{pool}", "Pools that another writer keeps changing back."),
    ISOLATED_LOAD_BALANCERS(
            "poolkeeper_isolated_load_balancers",
            GAUGE,
            "{load_balancer}",
            "Load balancers that are left alone because Azure refuses access to them."),
    MISSING_PERMISSIONS(
            "poolkeeper_missing_permissions",
            GAUGE,
            "{permission}",
            "Permissions that the last probe found missing, in Kubernetes and Azure."),
    POLICIES_REFUSED(
            "poolkeeper_policies_refused",
            GAUGE,
            "{policy}",
            "Policy documents whose last change was refused; the one before it still holds."),
    WATCH_SYNCED("poolkeeper_watch_synced", GAUGE, "{boolean}", "1 once everything of this kind was listed.", "kind"),
    WATCH_OPEN("poolkeeper_watch_open", GAUGE, "{boolean}", "1 while a watch of this kind is open, else 0.", "kind"),
    WATCH_OBJECTS("poolkeeper_watch_objects", GAUGE, "{object}", "Objects of this kind that are known.", "kind"),
    WATCH_SILENCE(
            "poolkeeper_watch_silence_seconds",
            GAUGE,
            "s",
            "Since when the API server has said nothing about this kind: no page, event or bookmark.",
            "kind"),
    WATCH_LISTS("poolkeeper_watch_lists_total", COUNTER, "{list}", "Lists of this kind that were completed.", "kind"),
    WATCH_STALLS(
            "poolkeeper_watch_stalls_total",
            COUNTER,
            "{watch}",
            "Watches of this kind that were given up because they were silent.",
            "kind"),
    EVENTS(
            "poolkeeper_events_total",
            COUNTER,
            "{event}",
            "Kubernetes Events: `written`, `dropped` (queue full, refused, or failed too often), `suppressed` (too many"
                    + " about one Service).",
            "result"),
    GATE_WAITING(
            "poolkeeper_readiness_gate_waiting_pods",
            GAUGE,
            "{pod}",
            "Pods whose readiness gate is closed, by the reason that they give; `Undecided` have no condition yet."
                    + " This and the next three are absent where the gate is switched off.",
            "reason"),
    GATE_LONGEST_WAIT(
            "poolkeeper_readiness_gate_longest_wait_seconds",
            GAUGE,
            "s",
            "Since when the Pod that waits longest has its condition."),
    GATE_CONDITIONS(
            "poolkeeper_readiness_gate_conditions_total",
            COUNTER,
            "{condition}",
            "Readiness conditions that this replica has set, by reason.",
            "reason"),
    GATE_REFUSALS(
            "poolkeeper_readiness_gate_refusals_total",
            COUNTER,
            "{request}",
            "Requests to set one that the API server refused or did not answer."),
    BUILD_INFO("poolkeeper_build", GAUGE, "{boolean}", "Always 1; tells the version.", "version"),
    JVM_MEMORY_USED("jvm_memory_used_bytes", GAUGE, "By", "Memory in use: `heap` or `non_heap`.", "jvm_memory_type"),
    JVM_MEMORY_LIMIT("jvm_memory_limit_bytes", GAUGE, "By", "The most that the heap may take.", "jvm_memory_type"),
    JVM_THREADS("jvm_thread_count", GAUGE, "{thread}", "Platform threads. Virtual ones are not counted."),
    JVM_GC("jvm_gc_time_seconds_total", COUNTER, "s", "Time spent collecting garbage.");

    /** What Prometheus makes of it. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    private static final class Label {
        /** Those of the Go implementation's operation metrics. */
        static final String[] UPSTREAM = {"request", "resource_group", "subscription_id", "source"};
    }

    private final String prometheusName;
    private final Kind kind;
    private final String unit;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> labels;

    Metric(String prometheusName, Kind kind, String unit, String meaning, String... labels) {
        this.prometheusName = prometheusName;
        this.kind = kind;
        this.unit = unit;
        this.meaning = meaning;
        this.labels = List.of(labels);
    }

    /** As it is scraped; a histogram's series add {@code _bucket}, {@code _sum} and {@code _count}. */
    public String prometheusName() {
        return prometheusName;
    }

    public Kind kind() {
        return kind;
    }

    /** As UCUM writes it; in braces what is counted. */
    public String unit() {
        return unit;
    }

    /** What it says, for people. */
    public String meaning() {
        return meaning;
    }

    public List<String> labels() {
        return labels;
    }

    /** As OpenTelemetry and OTLP name it: the exporter to Prometheus adds unit and {@code _total}. */
    public String otelName() {
        String name = withoutSuffix(prometheusName, kind == COUNTER ? "_total" : "");
        return withoutSuffix(
                name,
                switch (unit) {
                    case "s" -> "_seconds";
                    case "By" -> "_bytes";
                    default -> "";
                });
    }

    private static String withoutSuffix(String name, String suffix) {
        return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
    }
}
