package dev.poolkeeper.simulation.schedule;

/** The kinds of external events. */
public enum StepKind {
    // ordinary changes of the cluster and of the load balancers
    /** Pods move: a slice names other nodes. */
    PODS_MOVE(false),
    /** A slice's endpoints are spread over two. */
    SLICE_SPLIT(false),
    /** Two slices of a Service become one. */
    SLICE_MERGED(false),
    /** A slice loses its last endpoint. */
    SLICE_EMPTIED(false),
    /** A slice is deleted. */
    SLICE_DELETED(false),
    /** A slice with more than a hundred endpoints. */
    SLICE_LARGE(false),
    /** A slice names a node that is reported later, sometimes as the only one. */
    SLICE_BEFORE_NODE(false),
    /** An endpoint without a node. */
    NODE_NAME_MISSING(false),
    NODE_ADDED(false),
    NODE_DELETED(false),
    /** A node gets another address. */
    NODE_READDRESSED(false),
    /** A node is excluded from load balancers, or included again. */
    NODE_EXCLUDED(false),
    SERVICE_DELETED(false),
    SERVICE_CREATED(false),
    /** A Service stops being local, or becomes local. */
    SERVICE_POLICY(false),
    /** A Service's updates are paused or resumed. */
    SERVICE_PAUSED(false),
    /** A pool moves to another load balancer. */
    POOL_MOVED(false),
    /** A pool is deleted. */
    POOL_DELETED(false),
    /** A missing pool is created. */
    POOL_CREATED(false),
    /** Two load balancers have a pool of the same name. */
    POOL_TWICE(false),
    /** A Pod with a readiness gate starts; sometimes one ends. */
    GATED_POD(false),
    /** A retry policy is created, changed or deleted: valid or not, for ARM or something else. */
    POLICY_CHANGED(false),
    /** Another controller acquires the resource lock, writes its own pool, and releases the lock. */
    OTHER_CONTROLLER_WRITES(false),

    // what a tenant with rights in one namespace does there
    /** A Service of the tenant is paused or resumed. */
    TENANT_PAUSES(false),
    /** A Service of the tenant gets another load balancer class, or none. */
    TENANT_CHANGES_CLASS(false),
    /** All Services of the tenant scale to nothing and back, several times. */
    TENANT_SCALES(false),
    /** Slices of the tenant name nodes that never exist. */
    TENANT_NAMES_UNKNOWN_NODES(false),
    /** Slices of the tenant name Pods of other namespaces. */
    TENANT_NAMES_FOREIGN_PODS(false),
    /** Annotations and slices of the tenant change many times. */
    TENANT_IN_A_LOOP(false),
    /** The API server refuses to write the conditions of the tenant's Pods. */
    TENANT_PODS_REFUSED(false),

    // faults of processes and clocks
    /** A process is killed and restarted. */
    CRASH(true),
    /** A process is killed right after its next request, and restarted. */
    CRASH_IN_CALL(true),
    /** A process is stopped gracefully, and restarted. */
    STOP(true),
    /** A process is paused. */
    PAUSE(true),
    /** A machine is suspended, including its monotonic clock. */
    SUSPEND(true),
    /** The next write is delayed between its last check and its arrival, and sometimes the next read. */
    WRITE_HELD(true),
    /** A wall clock jumps. */
    CLOCK_JUMP(true),
    /** A machine's clocks run at double or half speed. */
    CLOCK_RATE(true),
    /** A process is killed, and its successor uses the identity of another running process. */
    SAME_IDENTITY(true),

    // faults of the connection to the API server
    /** No traffic to or from the API server. */
    API_SERVER_CUT(true),
    API_SERVER_SLOW(true),
    WATCH_DROPPED(true),
    /** A version is compacted and the watch ends with 410. */
    WATCH_GONE(true),
    /** A watch goes silent without an error. */
    WATCH_SILENT(true),
    /** The events of one kind are delayed much longer than others. */
    WATCH_LAG(true),
    /** Events are duplicated or repeated. */
    WATCH_DUPLICATES(true),
    /** Writes to Leases take effect, but their responses are lost. */
    LEASE_ANSWERS_LOST(true),
    /** Another client edits a Lease. */
    LEASE_TOUCHED(true),
    /** Another writer acquires the resource lock for a while. */
    RESOURCE_LOCK_TAKEN(true),
    /** Most slices lose their endpoints at once, and get them back some time later. */
    SLICES_LOST(true),

    /** For minutes a writer without the lock empties a pool or writes something else into it, in turn. */
    POOL_FOUGHT_OVER(true),

    // actions of operators
    /** All writes of a process are paused for a while. */
    WRITES_PAUSED(true),
    /** The retry budget is smaller for a while. */
    BUDGET_CHANGED(true),
    /** The removal that a process's brake last held is approved. */
    REMOVAL_AGREED(true),

    // faults of ARM; one is drawn
    /** ARM is unreachable. */
    ARM_CUT(true),
    /** A writer without the lock writes to a pool. */
    FOREIGN_WRITE(true),
    ARM_THROTTLED_READS(true),
    ARM_THROTTLED_WRITES(true),
    ARM_RETRYABLE_ERROR(true),
    ARM_SERVER_ERROR(true),
    ARM_ERROR_AFTER_EFFECT(true),
    ARM_SILENCE_AFTER_EFFECT(true),
    ARM_CONNECTION_LOST(true),
    ARM_BODY_TRUNCATED(true),
    ARM_BODY_REPLACED(true),
    ARM_REQUEST_DOUBLED(true),
    ARM_OPERATION_FAILED(true),
    ARM_OPERATION_SUPERSEDED(true),
    ARM_OPERATION_SLOW(true),
    ARM_OPERATION_LOST(true),
    ARM_LOCATION_LOST(true),
    ARM_BUSY(true),
    ARM_FORBIDDEN(true),
    ARM_UNAUTHORIZED(true),
    ARM_BROWNOUT(true),
    ARM_NOT_FOUND(true),
    ARM_LISTING_FAILS(true),
    ARM_LISTING_EMPTY(true);

    private final boolean fault;

    StepKind(boolean fault) {
        this.fault = fault;
    }

    /** Whether it is a fault and not an ordinary change. */
    public boolean isFault() {
        return fault;
    }
}
