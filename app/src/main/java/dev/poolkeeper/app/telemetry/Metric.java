package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Metric.Kind.COUNTER;
import static dev.poolkeeper.app.telemetry.Metric.Kind.GAUGE;
import static dev.poolkeeper.app.telemetry.Metric.Kind.HISTOGRAM;

import java.util.List;

/**
 * Every metric of the daemon, by its Prometheus name. {@code docs/metrics.md} is generated from this list.
 *
 * <p>The values of labels do not grow with the number of Services, pools or load balancers.
 */
public enum Metric {
    OPERATION_DURATION(
            "cloudprovider_azure_op_duration_seconds",
            HISTOGRAM,
            "s",
            "Time from the read of a pool to the outcome reported on its Services: updated or failed. Not recorded for"
                    + " a retry, a parked group or a deleted pool.",
            Label.UPSTREAM),
    OPERATION_FAILURES(
            "cloudprovider_azure_op_failure_count_total",
            COUNTER,
            "{operation}",
            "Updates of a pool that failed for good.",
            Label.UPSTREAM),
    RETRIES(
            "poolkeeper_retries_total",
            COUNTER,
            "{group}",
            "Groups that failed and were requeued, by failed request.",
            "cause"),
    RETRIES_REFUSED(
            "poolkeeper_retries_refused_total",
            COUNTER,
            "{retry}",
            "Retries refused by the retry budget: of a group (`tick`) or inside a call (`call`).",
            "scope"),
    CALL_RETRIES(
            "poolkeeper_call_retries_total",
            COUNTER,
            "{retry}",
            "Requests to ARM that were retried inside a call, by purpose and by status or error.",
            "purpose",
            "cause"),
    ARM_REQUEST_DURATION(
            "poolkeeper_arm_request_duration_seconds",
            HISTOGRAM,
            "s",
            "Requests to ARM, per attempt, including the wait for a token. `status` is the HTTP status, or"
                    + " `connection_error`, `timed_out`, `cancelled` or `failed` if there was no response.",
            "method",
            "purpose",
            "status"),
    ARM_GATE_REFUSALS(
            "poolkeeper_arm_gate_refusals_total",
            COUNTER,
            "{request}",
            "Requests that were not sent because the throttling gate was closed.",
            "purpose"),
    QUOTA_REMAINING(
            "poolkeeper_azure_quota_remaining",
            GAUGE,
            "{request}",
            "Remaining requests of the quota as last reported by Azure Resource Manager, for `writes` and"
                    + " `reads`; absent if never reported.",
            "kind"),
    QUOTA_SHORT(
            "poolkeeper_azure_quota_short",
            GAUGE,
            "{level}",
            "The resulting restriction of writes: 0 none, 1 outages first and the rest one at a time, 2 only outages"
                    + " and one at a time, 3 no writes."),
    GATE_SHUT(
            "poolkeeper_gate_shut_seconds",
            GAUGE,
            "s",
            "Time until the throttling gate opens, 0 while it is open; `load_balancers` is the maximum of"
                    + " those busy with another operation.",
            "gate"),
    TICK_DURATION(
            "poolkeeper_tick_duration_seconds",
            HISTOGRAM,
            "s",
            "Duration of ticks, from start until their last lane is free, including catch-up ticks; `result` is"
                    + " `ok` or `failed`.",
            "result"),
    LAST_SUCCESSFUL_TICK(
            "poolkeeper_last_successful_tick_timestamp_seconds",
            GAUGE,
            "s",
            "Time when a tick last ended without an internal error. Absent before the first."),
    QUEUE_OPERATIONS(
            "poolkeeper_queue_operations", GAUGE, "{operation}", "Operations in the queue, including parked ones."),
    PARKED_GROUPS(
            "poolkeeper_parked_groups", GAUGE, "{group}", "Pools whose operations wait until they are eligible again."),
    PARKED_LONGEST_WAIT(
            "poolkeeper_parked_longest_wait_seconds", GAUGE, "s", "Time until the last of them is eligible again."),
    BUDGET_BALANCE(
            "poolkeeper_retry_budget_balance",
            GAUGE,
            "{retry}",
            "Retries currently available in the budget. Absent if it is unlimited."),
    LEADER("poolkeeper_leader", GAUGE, "{boolean}", "1 while this replica leads, else 0."),
    RESOURCE_LOCK_HELD(
            "poolkeeper_resource_lock_held",
            GAUGE,
            "{boolean}",
            "1 while this replica holds the resource lock, which Azure's other writers honour, else 0."),
    RESOURCE_LOCK_HELD_BY_ANOTHER(
            "poolkeeper_resource_lock_held_by_another",
            GAUGE,
            "{boolean}",
            "1 while another writer holds the resource lock and this replica waits for it, else 0."),
    POOLS("poolkeeper_pools", GAUGE, "{pool}", "Managed pools of local Services."),
    POOLS_DIFFERING(
            "poolkeeper_pools_differing",
            GAUGE,
            "{pool}",
            "Pools that differed from their desired state when last read or written."),
    LAST_DIRECTORY_REFRESH(
            "poolkeeper_last_directory_refresh_timestamp_seconds",
            GAUGE,
            "s",
            "Time when the load balancers were last listed. Absent before the first listing."),
    LAST_RESYNC(
            "poolkeeper_last_resync_timestamp_seconds",
            GAUGE,
            "s",
            "Time when all pools were last compared with their desired state. Absent before the first comparison."),
    CHANGE_TO_WRITTEN(
            "poolkeeper_network_programming_duration_seconds",
            HISTOGRAM,
            "s",
            "Time from a change of a pool's desired state until the pool matches it: Kubernetes' network programming"
                + " latency, for load balancers. Not recorded for a change that is reverted before it was written."),
    POOLS_IN_OUTAGE(
            "poolkeeper_pools_in_outage",
            GAUGE,
            "{pool}",
            "Pools that contain none of their desired addresses, so that all their traffic fails."),
    OLDEST_CHANGE(
            "poolkeeper_oldest_unserved_change_seconds",
            GAUGE,
            "s",
            "Age of the oldest unwritten change; 0 if there is none."),
    OUTAGE_TIME(
            "poolkeeper_pool_outage_seconds_total",
            COUNTER,
            "s",
            "Time in which pools contained none of their desired addresses while this replica led, summed over pools."),
    MISSING_ADDRESS_TIME(
            "poolkeeper_missing_address_seconds_total",
            COUNTER,
            "s",
            "Time in which desired addresses were missing from pools while this replica led, summed over addresses."),
    STALE_ADDRESS_TIME(
            "poolkeeper_stale_address_seconds_total",
            COUNTER,
            "s",
            "Time in which pools contained undesired addresses while this replica led, summed over addresses."),
    SAFETY_BRAKE("poolkeeper_safety_brake", GAUGE, "{boolean}", "1 while the safety brake holds removals, else 0."),
    SAFETY_BRAKE_ADDRESSES(
            "poolkeeper_safety_brake_addresses",
            GAUGE,
            "{address}",
            "Addresses whose removal the safety brake holds, summed over pools."),
    POOL_ADDRESSES(
            "poolkeeper_pool_addresses",
            GAUGE,
            "{address}",
            "Addresses that the pools of local Services hold, as last read, listed or written."),
    PAUSED("poolkeeper_paused", GAUGE, "{boolean}", "1 while all writes are paused by configuration, else 0."),
    DRY_RUN("poolkeeper_dry_run", GAUGE, "{boolean}", "1 in a dry run, which writes nothing, else 0."),
    DRIFT_FIGHTS("poolkeeper_drift_fights", GAUGE, "{pool}", "Pools whose updates another writer keeps reverting."),
    ISOLATED_LOAD_BALANCERS(
            "poolkeeper_isolated_load_balancers",
            GAUGE,
            "{load_balancer}",
            "Load balancers with pools that are skipped because Azure denies access to them."),
    MISSING_PERMISSIONS(
            "poolkeeper_missing_permissions",
            GAUGE,
            "{permission}",
            "Permissions that the last probe found missing, in Kubernetes and Azure."),
    POLICIES_REFUSED(
            "poolkeeper_policies_refused",
            GAUGE,
            "{policy}",
            "Retry policies that are objects of the cluster and not in force."),
    CONFIGURATION_REFUSED(
            "poolkeeper_configuration_refused",
            GAUGE,
            "{boolean}",
            "1 while the configuration file or a manifest that it names has a fault, so that the last valid settings"
                    + " stay in force, else 0."),
    WATCH_SYNCED("poolkeeper_watch_synced", GAUGE, "{boolean}", "1 once all objects of this kind were listed.", "kind"),
    WATCH_OPEN("poolkeeper_watch_open", GAUGE, "{boolean}", "1 while a watch of this kind is open, else 0.", "kind"),
    WATCH_OBJECTS("poolkeeper_watch_objects", GAUGE, "{object}", "Known objects of this kind.", "kind"),
    WATCH_SILENCE(
            "poolkeeper_watch_silence_seconds",
            GAUGE,
            "s",
            "Time since the last message of the API server about this kind: page, event or bookmark.",
            "kind"),
    WATCH_LISTS("poolkeeper_watch_lists_total", COUNTER, "{list}", "Completed lists of this kind.", "kind"),
    WATCH_STALLS(
            "poolkeeper_watch_stalls_total",
            COUNTER,
            "{watch}",
            "Watches of this kind that were closed because they were silent.",
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
            "Pods whose readiness gate is closed, by the reason of their condition; `Undecided` have no condition yet."
                    + " This and the next four are absent if the gate is disabled.",
            "reason"),
    GATE_LONGEST_WAIT(
            "poolkeeper_readiness_gate_longest_wait_seconds",
            GAUGE,
            "s",
            "How long the longest-waiting Pod has had its condition, or has been known to this leader without one."),
    GATE_UNWRITABLE(
            "poolkeeper_readiness_gate_unwritable_pods",
            GAUGE,
            "{pod}",
            "Waiting Pods whose condition could not be set: the API server refused the last request or did not"
                    + " answer."),
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
            "Requests to set a condition that the API server refused or did not answer."),
    BUILD_INFO("poolkeeper_build", GAUGE, "{boolean}", "Always 1; the label shows the version.", "version"),
    JVM_MEMORY_USED("jvm_memory_used_bytes", GAUGE, "By", "Memory in use: `heap` or `non_heap`.", "jvm_memory_type"),
    JVM_MEMORY_LIMIT("jvm_memory_limit_bytes", GAUGE, "By", "The maximum heap size.", "jvm_memory_type"),
    JVM_THREADS("jvm_thread_count", GAUGE, "{thread}", "Platform threads. Virtual ones are not counted."),
    JVM_GC("jvm_gc_time_seconds_total", COUNTER, "s", "Time spent collecting garbage.");

    /** The kinds of Prometheus metrics. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    private static final class Label {
        /** The labels of the Go implementation's operation metrics. */
        static final String[] UPSTREAM = {"request", "resource_group", "subscription_id", "source"};
    }

    private final String prometheusName;
    private final Kind kind;
    private final String unit;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
    private final List<String> labels;

    Metric(String prometheusName, Kind kind, String unit, String meaning, String... labels) {
        this.prometheusName = prometheusName;
        this.kind = kind;
        this.unit = unit;
        this.meaning = meaning;
        this.labels = List.of(labels);
    }

    /** The name as scraped; a histogram's series add {@code _bucket}, {@code _sum} and {@code _count}. */
    public String prometheusName() {
        return prometheusName;
    }

    public Kind kind() {
        return kind;
    }

    /** The unit in UCUM notation; counted things in braces. */
    public String unit() {
        return unit;
    }

    /** The description for users. */
    public String meaning() {
        return meaning;
    }

    public List<String> labels() {
        return labels;
    }

    /** The name in OpenTelemetry and OTLP: the exporter to Prometheus adds unit and {@code _total}. */
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
